import { type Static, Type } from 'typebox'
import type { Caller } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import type { Clock } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import type { ProjectReads, ProjectStore, ProjectWrites } from '../../store/project.ts'
import type { RecordHead, Visible } from '../../store/record.ts'
import { visibleTo } from '../visibility.ts'
import { DEFAULT_WORKSPACE, requireWorkspace } from '../workspaces/workspace.ts'
import { MAX_LISTED } from './excerpt.ts'
import { eachOfSource } from './of-source.ts'
import { shorten } from './require-text.ts'

export const ForgetArguments = Type.Object(
  {
    id: Type.Optional(Type.String({ description: 'The record to forget' })),
    source_id: Type.Optional(Type.String({ maxLength: 512, description: 'Forget every record of this source instead' })),
    workspace: Type.Optional(Type.String({ description: 'Area of the project the source is in; `default` when left out' })),
  },
  { additionalProperties: false },
)

/** `forgotten` counts all; `ids` names at most 100 of them. */
export const Forgotten = Type.Object({
  forgotten: Type.Integer({ description: 'How many records were forgotten' }),
  ids: Type.Array(Type.String(), { description: 'The first 100 of them' }),
})

/** Time after which a transaction ends, in milliseconds: nobody else can save meanwhile. A slice of a source is 16 records at most. */
const MAX_WRITE_MS = 5

type Arguments = Static<typeof ForgetArguments>

/** What was forgotten, and whether all who can read the project's audit log could see any of it. */
export type ForgetOutcome = { result: Static<typeof Forgotten>; wasShared: boolean }

/** Softly deletes one record, or all records of a source, that the caller may see. Throws a Refusal when nothing matched. */
export async function forgetRecords(ctx: AppContext, caller: Caller, args: Arguments): Promise<ForgetOutcome> {
  const { id, source_id: sourceId } = args
  if ((id === undefined) === (sourceId === undefined)) throw new Refusal('exactly one of id and source_id is required')
  const project = ctx.store.project(caller.projectId)
  const tally = createTally()
  if (id !== undefined) await project.write((tx) => forgetOne(tx, ctx.clock, caller, id, args.workspace, tally))
  else await forgetSource(ctx, project, caller, args, tally)
  if (tally.result.forgotten === 0) throw new Refusal(`no records of source '${shorten(sourceId ?? '')}'`)
  return tally
}

type Tally = ForgetOutcome & { add: (forgotten: RecordHead[]) => void }

function createTally(): Tally {
  const tally: Tally = {
    result: { forgotten: 0, ids: [] },
    wasShared: false,
    add: (forgotten) => {
      const { result } = tally
      result.forgotten += forgotten.length
      result.ids.push(...forgotten.slice(0, MAX_LISTED - result.ids.length).map(({ id }) => id))
      tally.wasShared ||= forgotten.some(({ audience }) => audience === '*')
    },
  }
  return tally
}

async function forgetOne(tx: ProjectWrites, clock: Clock, caller: Caller, id: string, workspace: string | undefined, tally: Tally) {
  const found = await findOne(tx, caller, id, workspace)
  await tx.forgetRecord(found.id, clock.now())
  tally.add([found])
}

/** In steps, between which others can save. A crash leaves some of them for the next call. */
async function forgetSource({ clock }: AppContext, project: ProjectStore, caller: Caller, args: Arguments, tally: Tally): Promise<void> {
  const visible = visibleTo(caller)
  const { id: workspaceId } = await requireWorkspace(project, visible, args.workspace ?? DEFAULT_WORKSPACE)
  for await (const heads of eachOfSource(project, { visible, workspaceId, sourceId: args.source_id ?? '' })) {
    for (let rest = heads; rest.length > 0; ) {
      const { forgotten, done } = await project.write((tx) => forgetSome(tx, clock, visible, rest))
      tally.add(forgotten)
      rest = rest.slice(done)
    }
  }
}

/** Forgets those of the first records that nobody else has forgotten meanwhile; `done` is how many of them were looked at. */
async function forgetSome(tx: ProjectWrites, clock: Clock, visible: Visible, records: RecordHead[]) {
  const end = clock.ticks() + MAX_WRITE_MS
  const forgotten: RecordHead[] = []
  let done = 0
  for (const record of records) {
    if (done > 0 && clock.ticks() > end) break
    done += 1
    if ((await tx.findHead(visible, record.id)) === undefined) continue
    await tx.forgetRecord(record.id, clock.now())
    forgotten.push(record)
  }
  return { forgotten, done }
}

/** An id is the record's alone in the project; a workspace narrows it only where one is named. */
async function findOne(tx: ProjectReads, caller: Caller, id: string, name: string | undefined): Promise<RecordHead> {
  const visible = visibleTo(caller)
  const named = name === undefined ? undefined : await requireWorkspace(tx, visible, name)
  const found = await tx.findHead(visible, id)
  if (found !== undefined && (named === undefined || named.id === found.workspaceId)) return found
  if (name === undefined) await requireWorkspace(tx, visible, DEFAULT_WORKSPACE)
  throw new Refusal(`no record '${shorten(id)}'`)
}
