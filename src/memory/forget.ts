import { type Static, Type } from 'typebox'
import type { Caller } from '../account/caller.ts'
import type { Clock, Means } from '../account/means.ts'
import { Refusal } from '../errors.ts'
import type { ProjectReads, ProjectStore, ProjectWrites, StoredRecord } from '../store/project.ts'
import { shorten } from './text.ts'
import { visibleTo } from './visible.ts'
import { DEFAULT_WORKSPACE, requireWorkspace } from './workspace.ts'

export const ForgetArguments = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'The record to forget' })),
    source_id: Type.Optional(Type.String({ description: 'Forget every record of this source instead' })),
    workspace: Type.Optional(Type.String({ description: 'Area of the project the source is in; `default` when left out' })),
  },
  { additionalProperties: false },
)

export const Forgotten = Type.Object({ forgotten: Type.Integer(), ids: Type.Array(Type.String()) })

/** Records of a source forgotten in one transaction, so that nobody waits longer than some 10 ms. */
const CHUNK = 50

type Arguments = Static<typeof ForgetArguments>

/** Softly deletes one record, or all records of a source, that the caller may see. Throws a Refusal when nothing matched. */
export async function forgetRecords({ store, clock }: Means, caller: Caller, args: Arguments): Promise<Static<typeof Forgotten>> {
  if ((args.id === undefined) === (args.source_id === undefined)) throw new Refusal('exactly one of id and source_id is required')
  const project = store.project(caller.projectId)
  const forgetOne = async (tx: ProjectWrites, id: string) => {
    await tx.forgetRecord((await findOne(tx, caller, id, args.workspace)).id, clock.now())
    return [id]
  }
  const { id } = args
  const ids = id === undefined ? await forgetSource(project, clock, caller, args) : await project.write((tx) => forgetOne(tx, id))
  return { forgotten: ids.length, ids }
}

/** In steps, between which others can save. A crash leaves some of them for the next call. */
async function forgetSource(project: ProjectStore, clock: Clock, caller: Caller, args: Arguments): Promise<string[]> {
  const matched = await findOfSource(project, caller, args)
  const ids: string[] = []
  for (let at = 0; at < matched.length; at += CHUNK) {
    ids.push(...(await project.write((tx) => forgetSome(tx, clock, caller, matched.slice(at, at + CHUNK)))))
  }
  if (ids.length === 0) throw noneOf(args)
  return ids
}

/** Those of the records that nobody else has forgotten meanwhile. */
async function forgetSome(tx: ProjectWrites, clock: Clock, caller: Caller, records: StoredRecord[]): Promise<string[]> {
  const ids: string[] = []
  for (const { id } of records) {
    if ((await tx.findRecord(visibleTo(caller), id)) === undefined) continue
    await tx.forgetRecord(id, clock.now())
    ids.push(id)
  }
  return ids
}

/** An id is the record's alone in the project; a workspace narrows it only where one is named. */
async function findOne(tx: ProjectReads, caller: Caller, id: string, name: string | undefined): Promise<StoredRecord> {
  const visible = visibleTo(caller)
  const named = name === undefined ? undefined : await requireWorkspace(tx, visible, name)
  const found = await tx.findRecord(visible, id)
  if (found !== undefined && (named === undefined || named.id === found.workspaceId)) return found
  if (name === undefined) await requireWorkspace(tx, visible, DEFAULT_WORKSPACE)
  throw new Refusal(`no record '${shorten(id)}'`)
}

async function findOfSource(tx: ProjectReads, caller: Caller, args: Arguments): Promise<StoredRecord[]> {
  const visible = visibleTo(caller)
  const { id } = await requireWorkspace(tx, visible, args.workspace ?? DEFAULT_WORKSPACE)
  return tx.listRecords({ visible, workspaceId: id, sourceId: args.source_id })
}

const noneOf = ({ source_id: sourceId = '' }: Arguments) => new Refusal(`no records of source '${shorten(sourceId)}'`)
