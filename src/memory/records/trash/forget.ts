import { type Static, Type } from 'typebox'
import { recordEventAlone } from '../../../account/audit/audit.ts'
import type { Actor } from '../../../account/auth/actor.ts'
import type { AppContext } from '../../../account/context.ts'
import { toIsoTime } from '../../../clock.ts'
import { CountedRefusal, Refusal } from '../../../errors.ts'
import { maskCredentials } from '../../../secrets/credentials.ts'
import type { ProjectReads } from '../../../store/project.ts'
import type { RecordHead, Visible } from '../../../store/record.ts'
import { authorizeMemory, type Memory, placeOf } from '../../visibility.ts'
import { DEFAULT_WORKSPACE, requireWorkspace } from '../../workspaces/workspace.ts'
import { eachSourceSlice } from '../bulk/source-records.ts'
import { MAX_ANSWER_CHARACTERS, MAX_LISTED, readExcerpts } from '../excerpt.ts'
import { findStale } from '../freshness.ts'
import { NamedRecord } from '../record.ts'
import { shorten } from '../text-argument.ts'
import { forgetFound, type Gone } from './forget-record.ts'

export const ForgetArguments = Type.Object(
  {
    id: Type.Optional(Type.String()),
    source_id: Type.Optional(Type.String({ maxLength: 512 })),
    stale: Type.Optional(Type.Boolean({ description: 'Only stale records of the source' })),
    workspace: Type.Optional(Type.String({ description: 'Of the source; `default` if omitted' })),
  },
  { additionalProperties: false },
)
export type ForgetArguments = Static<typeof ForgetArguments>

/** `everywhere`: in all workspaces, whichever is named. */
type ForgetInput = ForgetArguments & { everywhere?: boolean }

/** `forgotten` counts all; `ids` and `current_again` name at most 100 each. */
export const Forgotten = Type.Object({
  forgotten: Type.Integer({ description: 'How many records were forgotten' }),
  ids: Type.Array(Type.String(), { description: 'The first 100 of them' }),
  verified: Type.Integer({ description: 'How many of them a person had verified' }),
  current_again: Type.Array(NamedRecord, { description: 'Records that they had superseded and that hold again' }),
})
type Forgotten = Static<typeof Forgotten>

/**
 * Softly deletes one record, or all or only the stale records of a source, among those the actor may see. What they
 * superseded becomes current again. Records of a source are forgotten in several transactions; after a crash or a
 * failure, the next call forgets the remaining ones. A verified record that an assistant forgets is queued for review.
 *
 * @throws Refusal if nothing matched.
 */
export async function forgetRecords(
  ctx: AppContext,
  actor: Actor,
  { projectId, ...args }: ForgetInput & { projectId: string },
): Promise<Forgotten> {
  requireOneTarget(args)
  const memory = await authorizeMemory(ctx, actor, projectId, 'write')
  const forgetting = { memory, byAssistant: actor.kind === 'caller', now: ctx.clock.now() }
  const tally = createTally()
  try {
    for await (const slice of forgetTarget(forgetting, args)) tally.add(slice)
  } finally {
    if (tally.forgotten > 0) await recordForgetting(ctx, actor, forgetting, args, tally)
  }
  const { forgotten, ids, verified, passedOver, returned } = tally
  if (forgotten === 0)
    throw new CountedRefusal(
      'not_found',
      `no ${passedOver > 0 ? 'stale ' : ''}records of source '${shorten(args.source_id ?? '')}'`,
    )
  return { forgotten, ids, verified, current_again: await nameReturned(memory, returned) }
}

async function recordForgetting(
  ctx: AppContext,
  actor: Actor,
  { memory, now }: Forgetting,
  { id, source_id: sourceId }: ForgetArguments,
  { forgotten, verified, isAnyShared }: Tally,
): Promise<void> {
  // Owners and admins read the audit log, but may not see every record; the name of a source is logged only if it has a
  // shared record.
  const source = isAnyShared && sourceId !== undefined ? await maskCredentials(sourceId) : null
  // Every record forgotten by this call has this time, by which the history of a record finds the event.
  const details = {
    forgotten,
    ...(verified > 0 && { verified }),
    ...(id === undefined && { forgotten_at: toIsoTime(now) }),
  }
  await recordEventAlone(ctx, actor, { act: 'record.forget', ...placeOf(memory), target: id ?? source, details })
}

function requireOneTarget({ id, source_id: sourceId, stale }: ForgetArguments): void {
  if ((id === undefined) === (sourceId === undefined)) throw new Refusal('exactly one of id and source_id is required')
  if (stale && sourceId === undefined) throw new Refusal('stale needs source_id')
}

/**
 * Accumulates the result over the slices of a source. `passedOver` counts records that were not stale, `isAnyShared`
 * tells whether a forgotten one was visible to everyone, and `returned` lists the first records that became current
 * again.
 */
function createTally() {
  const tally = {
    passedOver: 0,
    forgotten: 0,
    verified: 0,
    ids: [] as string[],
    returned: [] as RecordHead[],
    isAnyShared: false,
    add: ({ passedOver, gone: all }: Slice) => {
      tally.passedOver += passedOver
      tally.forgotten += all.length
      tally.ids.push(...all.slice(0, MAX_LISTED - tally.ids.length).map(({ head }) => head.id))
      tally.verified += all.filter(({ head }) => head.status === 'verified').length
      tally.isAnyShared ||= all.some(({ head }) => head.audience === '*')
      for (const { returned } of all) tally.returned.push(...returned.slice(0, MAX_LISTED - tally.returned.length))
    },
  }
  return tally
}

type Tally = ReturnType<typeof createTally>
type Forgetting = { memory: Memory; byAssistant: boolean; now: number }

/** Records that were forgotten together, and how many others of the source were not stale. */
type Slice = { passedOver: number; gone: Gone[] }

async function* forgetTarget(forgetting: Forgetting, args: ForgetInput): AsyncGenerator<Slice> {
  const { id, workspace } = args
  if (id === undefined) return yield* forgetSource(forgetting, args)
  const { records, visible } = forgetting.memory
  const gone = await forgetFound(records, (tx) => requireOne(tx, visible, id, workspace), forgetting)
  yield { passedOver: 0, gone: gone === undefined ? [] : [gone] }
}

/** Each record is forgotten in a write of its own; the store groups the writes of a slice into transactions. */
async function* forgetSource({ memory, byAssistant, now }: Forgetting, args: ForgetInput): AsyncGenerator<Slice> {
  const { records, visible } = memory
  const { source_id: sourceId = '', workspace = DEFAULT_WORKSPACE, stale = false, everywhere = false } = args
  const chosen = { sourceId, workspace: everywhere ? undefined : workspace, stale }
  for await (const { heads, passedOver } of eachSourceSlice(records, visible, chosen, now)) {
    const acts = heads.map(({ id }) => forgetFound(records, toFind(visible, id, stale, now), { now, byAssistant }))
    const gone = (await Promise.allSettled(acts)).map((act) => (act.status === 'fulfilled' ? act.value : undefined))
    yield { passedOver, gone: gone.filter((one) => one !== undefined) }
    // Rejects with the first failure: what has been forgotten beside it counts.
    await Promise.all(acts)
  }
}

/** Looks a record up inside the write that forgets it: undefined if it is to be stale and is so no longer. */
export function toFind(visible: Visible, id: string, stale: boolean, now: number) {
  return async (tx: ProjectReads): Promise<RecordHead | undefined> => {
    const head = await tx.findHead(visible, id)
    return head === undefined || !stale || (await findStale(tx, visible, [head], now)).has(id) ? head : undefined
  }
}

/**
 * Names the returned records that are still current: the same call may have forgotten some of them later, or made
 * another one supersede them.
 */
async function nameReturned({ records, visible }: Memory, returned: RecordHead[]): Promise<Forgotten['current_again']> {
  if (returned.length === 0) return []
  const seqs = returned.map(({ seq }) => seq)
  const current = (await records.findHeadsBySeq(visible, seqs)).filter(({ status }) => status !== 'superseded')
  const excerpts = await readExcerpts(records, visible, current, MAX_ANSWER_CHARACTERS)
  return returned.flatMap(({ id }) => {
    const excerpt = excerpts.get(id)
    return excerpt === undefined ? [] : [{ id, ...excerpt }]
  })
}

/** An id is unique in the project; a workspace, if named, only restricts where it is looked for. */
async function requireOne(
  reads: ProjectReads,
  visible: Memory['visible'],
  id: string,
  name: string | undefined,
): Promise<RecordHead> {
  const named = name === undefined ? undefined : await requireWorkspace(reads, visible, name)
  const found = await reads.findHead(visible, id)
  if (found !== undefined && (named === undefined || named.id === found.workspaceId)) return found
  throw new CountedRefusal(
    'not_found',
    `no record '${shorten(id)}'`,
    'id',
    'Results of search have the ids of records, in full. A forgotten record has none any more.',
  )
}
