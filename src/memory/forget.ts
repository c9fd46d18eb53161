import { type Static, Type } from 'typebox'
import type { Caller } from '../account/caller.ts'
import type { Means } from '../account/means.ts'
import { Refusal } from '../errors.ts'
import type { ProjectReads, StoredRecord } from '../store/project.ts'
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

type Arguments = Static<typeof ForgetArguments>

/** Softly deletes one record, or all records of a source, that the caller may see. Throws a Refusal when nothing matched. */
export async function forgetRecords({ store, clock }: Means, caller: Caller, args: Arguments): Promise<Static<typeof Forgotten>> {
  if ((args.id === undefined) === (args.source_id === undefined)) throw new Refusal('exactly one of id and source_id is required')
  const ids = await store.project(caller.projectId).write(async (tx) => {
    const matched = args.id === undefined ? await findOfSource(tx, caller, args) : [await findOne(tx, caller, args.id, args.workspace)]
    for (const { id } of matched) await tx.forgetRecord(id, clock.now())
    return matched.map(({ id }) => id)
  })
  return { forgotten: ids.length, ids }
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

async function findOfSource(tx: ProjectReads, caller: Caller, { source_id: sourceId = '', workspace }: Arguments): Promise<StoredRecord[]> {
  const visible = visibleTo(caller)
  const { id } = await requireWorkspace(tx, visible, workspace ?? DEFAULT_WORKSPACE)
  const found = await tx.listRecords({ visible, workspaceId: id, sourceId })
  if (found.length === 0) throw new Refusal(`no records of source '${shorten(sourceId)}'`)
  return found
}
