import type { Limits } from '../../account/limits/plan.ts'
import { Refusal } from '../../errors.ts'
import type { ProjectWrites } from '../../store/project.ts'
import type { SourceState } from '../../store/record.ts'
import type { Draft } from '../records/draft.ts'
import { isOutdated } from '../records/freshness.ts'
import { listSame } from '../records/same.ts'
import { requireRoom, saveWhole } from '../records/save.ts'
import { settleWhole } from '../records/settle.ts'
import { openWorkspace } from '../workspaces/workspace.ts'

/** A record that comes in. `hasId`: it was a record elsewhere, and keeps its id and all that became of it. */
export type Incoming = { draft: Draft; hasId: boolean; source: SourceState | undefined }

/** What became of it; `forgotten` where it is here already but was forgotten, and stays so. */
export type Kept = 'saved' | 'there' | 'forgotten'

/** Numbers of outdated records that lines of this import stand for. */
export type Used = Set<number>

/** Keeps an incoming record inside a write. One without an id is remembered as any other. Throws a Refusal. */
export async function keepDraft(tx: ProjectWrites, incoming: Incoming, used: Used, limits: Limits): Promise<Kept> {
  if (incoming.hasId) return keepAsItWas(tx, incoming, limits)
  return canBeOutdated(incoming.draft) ? keepOnce(tx, incoming.draft, used, limits) : remember(tx, incoming.draft, limits)
}

const canBeOutdated = ({ factKeyGiven, expiresAt }: Draft) => factKeyGiven || expiresAt !== null

async function remember(tx: ProjectWrites, draft: Draft, limits: Limits): Promise<Kept> {
  const { created } = await saveWhole(tx, draft, limits)
  return created ? 'saved' : 'there'
}

/**
 * Whoever remembers a superseded fact again makes it current again; a file that is imported again does not. So an outdated record stands for one line
 * that says the same, and only a further line makes it current.
 */
async function keepOnce(tx: ProjectWrites, draft: Draft, used: Used, limits: Limits): Promise<Kept> {
  const { workspace: name, ...rest } = draft
  const workspace = await tx.findWorkspace(name)
  const same = workspace === undefined ? [] : await listSame(tx, { ...rest, workspaceId: workspace.id })
  const isLive = same.some((record) => !isOutdated(record, draft.createdAt))
  const unused = same.find((record) => !used.has(record.seq))
  if (!isLive && unused !== undefined) {
    used.add(unused.seq)
    return 'there'
  }
  const { record, created } = await saveWhole(tx, draft, limits)
  used.add(record.seq)
  return created ? 'saved' : 'there'
}

async function keepAsItWas(tx: ProjectWrites, { draft, source }: Incoming, limits: Limits): Promise<Kept> {
  const { workspace: name, ...rest } = draft
  const there = await tx.findRecord(undefined, draft.id, { forgotten: true })
  if (there !== undefined && there.content !== draft.content) throw new Refusal(`record '${draft.id}' is here and says something else`)
  if (there !== undefined) return there.forgottenAt === null ? 'there' : 'forgotten'
  await requireRoom(tx, draft.content, limits)
  const workspace = await openWorkspace(tx, name, draft.createdAt, limits)
  const record = { ...rest, workspaceId: workspace.id }
  await tx.insertRecord({ ...record, ...(await settleWhole(tx, record)) })
  await keepSource(tx, record, source)
  return 'saved'
}

type OfSource = { workspaceId: number; audience: string; sourceId: string | null; sourceHash: string | null }

/** A state keeps its turn: of two states of one history the later wins, in whatever order they come. */
async function keepSource(tx: ProjectWrites, record: OfSource, source: SourceState | undefined): Promise<void> {
  const { workspaceId, audience, sourceId, sourceHash } = record
  if (sourceId === null) return
  if (source !== undefined) await tx.saveSourceState(workspaceId, sourceId, audience, source)
  else if (sourceHash !== null) await tx.saveSourceHash(workspaceId, sourceId, audience, sourceHash)
}
