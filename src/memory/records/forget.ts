import { type Static, Type } from 'typebox'
import { recordEventAlone } from '../../account/audit/audit.ts'
import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import type { ProjectReads } from '../../store/project.ts'
import type { RecordHead } from '../../store/record.ts'
import { authorizeMemory, type Memory, placeOf } from '../authorize-memory.ts'
import { DEFAULT_WORKSPACE, requireWorkspace } from '../workspaces/workspace.ts'
import { MAX_LISTED } from './excerpt.ts'
import { eachSlice } from './slices.ts'
import { shorten } from './text-argument.ts'

export const ForgetArguments = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'The record to forget' })),
    source_id: Type.Optional(Type.String({ maxLength: 512, description: 'Forget every record of this source instead' })),
    workspace: Type.Optional(Type.String({ description: 'Area of the project the source is in; `default` when left out' })),
  },
  { additionalProperties: false },
)
export type ForgetArguments = Static<typeof ForgetArguments>

/** `forgotten` counts all; `ids` names at most 100 of them. */
export const Forgotten = Type.Object({
  forgotten: Type.Integer({ description: 'How many records were forgotten' }),
  ids: Type.Array(Type.String(), { description: 'The first 100 of them' }),
})
type Forgotten = Static<typeof Forgotten>

/**
 * Softly deletes one record, or all records of a source, that the actor may see. Records of a source are forgotten in several transactions: a crash
 * leaves some of them for the next call.
 *
 * @throws Refusal where nothing matched.
 */
export async function forgetRecords(
  ctx: AppContext,
  actor: Actor,
  { projectId, ...args }: ForgetArguments & { projectId: string },
): Promise<Forgotten> {
  const { id, source_id: sourceId, workspace } = args
  if ((id === undefined) === (sourceId === undefined)) throw new Refusal('exactly one of id and source_id is required')
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  const tally = createTally()
  if (id !== undefined) tally.add([await forgetOne(ctx, memory, id, workspace)])
  else for await (const heads of forgetSource(ctx, memory, sourceId ?? '', workspace ?? DEFAULT_WORKSPACE)) tally.add(heads)
  const { forgotten, ids } = tally
  if (forgotten === 0) throw new Refusal(`no records of source '${shorten(sourceId ?? '')}'`)
  // The log is read by owners and admins, from whom the name of a source can be hidden as its records are.
  const target = id ?? (tally.isAnyShared ? sourceId : null)
  await recordEventAlone(ctx, actor, { act: 'record.forget', ...placeOf(memory), target: target ?? null, details: { forgotten } })
  return { forgotten, ids }
}

/** Counts forgotten records, names the first of them, and notes whether any of them was shared. */
function createTally() {
  const tally = {
    forgotten: 0,
    ids: [] as string[],
    isAnyShared: false,
    add: (heads: RecordHead[]) => {
      tally.forgotten += heads.length
      tally.ids.push(...heads.slice(0, MAX_LISTED - tally.ids.length).map(({ id }) => id))
      tally.isAnyShared ||= heads.some(({ audience }) => audience === '*')
    },
  }
  return tally
}

function forgetOne({ clock }: AppContext, { records, visible }: Memory, id: string, workspace: string | undefined): Promise<RecordHead> {
  return records.write(async (tx) => {
    const found = await requireOne(tx, visible, id, workspace)
    await tx.forgetRecord(found.id, clock.now())
    return found
  })
}

/** Each record is forgotten in a write of its own; the store puts as many of a slice into one transaction as it finds good. */
async function* forgetSource(ctx: AppContext, memory: Memory, sourceId: string, workspace: string): AsyncGenerator<RecordHead[]> {
  const { records, visible } = memory
  const { id: workspaceId } = await requireWorkspace(records, visible, workspace)
  const readSlice = (afterSeq?: number) => records.listSourceSlice({ visible, workspaceId, sourceId, afterSeq })
  for await (const { heads } of eachSlice(readSlice)) {
    const forgotten = await Promise.all(heads.map((head) => forgetUnlessGone(ctx, memory, head)))
    yield forgotten.filter((head) => head !== undefined)
  }
}

/** Undefined where somebody else has forgotten the record meanwhile. */
function forgetUnlessGone({ clock }: AppContext, { records, visible }: Memory, head: RecordHead): Promise<RecordHead | undefined> {
  return records.write(async (tx) => {
    if ((await tx.findHead(visible, head.id)) === undefined) return undefined
    await tx.forgetRecord(head.id, clock.now())
    return head
  })
}

/** An id is unique in the project; a named workspace only restricts where it is looked for. */
async function requireOne(reads: ProjectReads, visible: Memory['visible'], id: string, name: string | undefined): Promise<RecordHead> {
  const named = name === undefined ? undefined : await requireWorkspace(reads, visible, name)
  const found = await reads.findHead(visible, id)
  if (found !== undefined && (named === undefined || named.id === found.workspaceId)) return found
  if (name === undefined) await requireWorkspace(reads, visible, DEFAULT_WORKSPACE)
  throw new Refusal(`no record '${shorten(id)}'`)
}
