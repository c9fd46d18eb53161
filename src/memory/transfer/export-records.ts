import { authorName } from '../../account/auth/author.ts'
import type { AppContext } from '../../account/context.ts'
import { yieldIfDue } from '../../cooperative.ts'
import type { ProjectStore } from '../../store/project.ts'
import type { StoredRecord } from '../../store/record.ts'
import { scopeOf } from '../visibility.ts'
import { requireWorkspace } from '../workspaces/workspace.ts'
import type { Entry } from './entry.ts'

/** Records read at once: many short ones or few long ones, by what the lines of the page before came to. With the longest contents a line takes up to 0.4 MB. */
const MIN_PAGE = 2
const MAX_PAGE = 256
/** Characters of lines above which the next page has half as many records; below the half of them it has twice as many. */
const MAX_PAGE_CHARACTERS = 512 * 1024

/**
 * Every record of a project, or of one workspace, that is not forgotten, in the order of saving: lines that `importRecords` makes the same records of.
 * Comes in pieces of whole lines. Throws a Refusal for a workspace that is not active.
 */
export async function* exportRecords(ctx: AppContext, projectId: string, workspace: string | undefined): AsyncGenerator<string[]> {
  const project = ctx.store.project(projectId)
  const workspaceId = workspace === undefined ? undefined : (await requireWorkspace(project, undefined, workspace)).id
  const names = createNames(project)
  for (let afterSeq = 0, limit = MIN_PAGE; ; ) {
    await yieldIfDue()
    const page = await project.listRecords({ visible: undefined, workspaceId, afterSeq, limit })
    const last = page.at(-1)
    if (last === undefined) return
    afterSeq = last.seq
    const found = await Promise.all(page.map((record) => toLine(ctx, project, record, names)))
    const lines = found.filter((line) => line !== undefined)
    yield lines
    limit = nextLimit(limit, lines)
  }
}

function nextLimit(limit: number, lines: string[]): number {
  const characters = lines.reduce((sum, line) => sum + line.length, 0)
  if (characters > MAX_PAGE_CHARACTERS) return Math.max(MIN_PAGE, limit / 2)
  return characters > MAX_PAGE_CHARACTERS / 2 ? limit : Math.min(MAX_PAGE, limit * 2)
}

type Names = (workspaceId: number) => Promise<string | undefined>

/** Names of active workspaces: what a removed one still holds is about to be forgotten. */
function createNames(project: ProjectStore): Names {
  const known = new Map<number, Promise<string | undefined>>()
  const find = async (id: number) => {
    const workspace = await project.findWorkspaceById(id)
    return workspace?.removedAt === null ? workspace.name : undefined
  }
  return (id) => {
    const name = known.get(id) ?? find(id)
    known.set(id, name)
    return name
  }
}

async function toLine(ctx: AppContext, project: ProjectStore, record: StoredRecord, names: Names): Promise<string | undefined> {
  const workspace = await names(record.workspaceId)
  return workspace === undefined ? undefined : `${JSON.stringify(await toEntry(ctx, project, record, workspace))}\n`
}

/** What was not given is left out, a derived fact key too: it is derived again. */
async function toEntry(ctx: AppContext, project: ProjectStore, record: StoredRecord, workspace: string): Promise<Entry> {
  const { audience, sourceId } = record
  const state = sourceId === null ? undefined : await project.findSourceState(record.workspaceId, audience, sourceId)
  return {
    content: record.content,
    ...(record.factKeyGiven && { fact_key: record.factKey }),
    workspace,
    scope: scopeOf(audience),
    ...(sourceId !== null && { source_id: sourceId }),
    ...(record.sourceHash !== null && { source_hash: record.sourceHash }),
    ...(record.expiresAt !== null && { expires_at: new Date(record.expiresAt).toISOString() }),
    id: record.id,
    status: record.status,
    ...(record.supersededBy !== null && { superseded_by: record.supersededBy }),
    author: await authorName(ctx, record.authorId),
    author_id: record.authorId,
    ...(audience.startsWith('d:') && { department: audience.slice('d:'.length) }),
    created_at: new Date(record.createdAt).toISOString(),
    ...(state !== undefined && { source_current_hash: state.hash, source_turn: state.saveSequence }),
  }
}
