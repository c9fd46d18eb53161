import { recordEventAlone } from '../../account/audit/audit.ts'
import type { Actor } from '../../account/auth/actor.ts'
import { requireManager } from '../../account/auth/authorize.ts'
import { authorNames } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { yieldIfDue } from '../../cooperative.ts'
import type { ProjectStore } from '../../store/project.ts'
import type { StoredRecord } from '../../store/record.ts'
import { authorizeMemory, placeOf } from '../authorize-memory.ts'
import { requireWorkspace } from '../workspaces/workspace.ts'
import { toEntry } from './entry.ts'

/** Records read at once. With the longest contents a line takes up to 0.4 MB, so the number follows from the size of the page before. */
const MIN_PAGE_RECORDS = 2
const MAX_PAGE_RECORDS = 256
/** Characters of lines above which the next page has half as many records; below the half of them it has twice as many. */
const MAX_PAGE_CHARACTERS = 512 * 1024

/** What is exported: a project, or one of its workspaces. */
export type ExportInput = { projectId: string; workspace: string | undefined }

/**
 * Every record of a project or of one workspace that is not forgotten, in the order of saving, as lines of which `importRecords` makes the same records
 * again. Yields arrays of whole lines. The export is recorded in the audit log when the last of them was read.
 *
 * @throws Refusal for an actor who does not manage the account, and for a workspace that is not active.
 */
export async function* exportRecords(ctx: AppContext, actor: Actor, { projectId, workspace }: ExportInput): AsyncGenerator<string[]> {
  const memory = await authorizeMemory(ctx, actor, projectId, 'read')
  requireManager(actor, memory.account.id)
  const { records: project, visible } = memory
  const workspaceId = workspace === undefined ? undefined : (await requireWorkspace(project, visible, workspace)).id
  let exported = 0
  for (let afterSeq = 0, limit = MIN_PAGE_RECORDS; ; ) {
    await yieldIfDue()
    const page = await project.listRecords({ visible, workspaceId, afterSeq, limit })
    const last = page.at(-1)
    if (last === undefined) break
    afterSeq = last.seq
    const lines = await toLines(ctx, project, page)
    exported += lines.length
    yield lines
    limit = nextLimit(limit, lines)
  }
  await recordEventAlone(ctx, actor, { act: 'project.export', ...placeOf(memory), target: projectId, details: { records: exported } })
}

function nextLimit(limit: number, lines: string[]): number {
  const characters = lines.reduce((sum, line) => sum + line.length, 0)
  if (characters > MAX_PAGE_CHARACTERS) return Math.max(MIN_PAGE_RECORDS, limit / 2)
  return characters > MAX_PAGE_CHARACTERS / 2 ? limit : Math.min(MAX_PAGE_RECORDS, limit * 2)
}

/** The lines of a page. Records of a removed workspace, which are about to be forgotten, are left out. */
async function toLines(ctx: AppContext, project: ProjectStore, page: StoredRecord[]): Promise<string[]> {
  const workspaces = await project.findWorkspacesById([...new Set(page.map(({ workspaceId }) => workspaceId))])
  const names = new Map(workspaces.flatMap(({ id, name, removedAt }) => (removedAt === null ? [[id, name] as const] : [])))
  const authors = await authorNames(ctx, new Set(page.map(({ authorId }) => authorId)))
  const sources = await project.findSourceStates(
    page.map(({ workspaceId, audience, sourceId }) => ({ workspaceId, audience, sourceId: sourceId ?? '' })),
  )
  return page.flatMap((record, at) => {
    const workspace = names.get(record.workspaceId)
    if (workspace === undefined) return []
    const source = record.sourceId === null ? undefined : sources[at]
    return [`${JSON.stringify(toEntry(record, { workspace, author: authors.get(record.authorId) ?? '', source }))}\n`]
  })
}
