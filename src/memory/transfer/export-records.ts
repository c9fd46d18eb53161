import { authorName } from '../../account/author.ts'
import type { Means } from '../../account/means.ts'
import type { ProjectStore, StoredRecord } from '../../store/project.ts'
import { scopeOf } from '../visible.ts'
import { requireWorkspace } from '../workspace.ts'
import type { Entry } from './entry.ts'

/** Records read at once: with the longest contents their lines take up to 12 MB. */
const PAGE = 32

/**
 * Every record of a project, or of one workspace, that is not forgotten, in the order of saving: lines that `importRecords` makes the same records of.
 * Comes in pieces of whole lines. Throws a Refusal for a workspace that is not active.
 */
export async function* exportRecords(
  means: Pick<Means, 'store'>,
  projectId: string,
  workspace: string | undefined,
): AsyncGenerator<string[]> {
  const project = means.store.project(projectId)
  const workspaceId = workspace === undefined ? undefined : (await requireWorkspace(project, undefined, workspace)).id
  const names = createNames(project)
  for (let afterSeq = 0; ; ) {
    const page = await project.listRecords({ visible: undefined, workspaceId, afterSeq, limit: PAGE })
    const last = page.at(-1)
    if (last === undefined) return
    afterSeq = last.seq
    const lines = await Promise.all(page.map((record) => toLine(means, project, record, names)))
    yield lines.filter((line) => line !== undefined)
  }
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

async function toLine(means: Pick<Means, 'store'>, project: ProjectStore, record: StoredRecord, names: Names): Promise<string | undefined> {
  const workspace = await names(record.workspaceId)
  return workspace === undefined ? undefined : `${JSON.stringify(await toEntry(means, project, record, workspace))}\n`
}

/** What was not given is left out, a derived fact key too: it is derived again. */
async function toEntry(means: Pick<Means, 'store'>, project: ProjectStore, record: StoredRecord, workspace: string): Promise<Entry> {
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
    author: await authorName(means, record.authorId),
    author_id: record.authorId,
    ...(audience.startsWith('d:') && { department: audience.slice('d:'.length) }),
    created_at: new Date(record.createdAt).toISOString(),
    ...(state !== undefined && { source_current_hash: state.hash, source_turn: state.turn }),
  }
}
