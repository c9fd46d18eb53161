import { recordEventAlone } from '../../account/audit/audit.ts'
import { type Actor, requireManager } from '../../account/auth/actor.ts'
import { authorNames } from '../../account/auth/caller.ts'
import type { AppContext } from '../../account/context.ts'
import { DamagedProject } from '../../errors.ts'
import type { ProjectStore } from '../../store/project.ts'
import type { StoredRecord } from '../../store/record.ts'
import type { Selection } from '../../store/record-lists.ts'
import type { Lost, SalvageReads } from '../../store/store.ts'
import { toComparableKey } from '../../text/comparable.ts'
import { type ListArguments, listRecords } from '../records/lists/list-records.ts'
import type { Viewer } from '../records/lists/record-filter.ts'
import { authorizeMemory, type Memory, placeOf } from '../visibility.ts'
import { requireWorkspace } from '../workspaces/workspace.ts'
import { toEntry } from './entry.ts'

/**
 * Bounds of the records read at once. A line takes up to 0.4 MB with the largest contents, so the number follows from
 * the size of the previous page.
 */
const MIN_PAGE_RECORDS = 2
const MAX_PAGE_RECORDS = 256
/**
 * If the lines of a page have more characters than this, the next page has half as many records; if fewer than half of
 * it, twice as many.
 */
const MAX_PAGE_CHARACTERS = 512 * 1024

/**
 * What is exported: a project or one of its workspaces; or, with `only`, what a filtered list shows or the records with
 * these ids, in that order. In any case only what the actor may see. With `onLost`, for the operator, all that can be
 * read of a damaged project is exported, and `onLost` is called at the end with what cannot.
 */
export type ExportInput = {
  projectId: string
  workspace?: string | undefined
  only?: ListArguments | { ids: string[] }
  onLost?: (lost: Lost) => void
}

/**
 * Yields arrays of lines, one for each record that is not forgotten, from which `importRecords` makes the same records
 * again. A project or workspace is exported in the order of saving. Records an audit event with the number of records,
 * also if the export was not read to its end.
 *
 * @throws Refusal for an actor who may not open the project or, for a whole one, does not manage its account; and for a
 *   workspace that is not active.
 */
export async function* exportRecords(ctx: AppContext, actor: Actor, input: ExportInput): AsyncGenerator<string[]> {
  const { projectId, only, onLost } = input
  const memory = await authorizeMemory(ctx, actor, projectId, 'read')
  if (only === undefined) requireManager(actor, memory.account.id)
  let exported: number | undefined
  try {
    const pages = onLost === undefined ? readPages(ctx, memory, input) : readDespiteDamage(ctx, memory, input, onLost)
    for await (const { lines } of pages) {
      exported = (exported ?? 0) + lines.length
      if (lines.length > 0) yield lines
    }
  } finally {
    const details = { records: exported ?? 0, ...(only !== undefined && { part: true }) }
    if (exported !== undefined)
      await recordEventAlone(ctx, actor, { act: 'project.export', ...placeOf(memory), target: projectId, details })
  }
}

/** Lines, and the number of the last record that they are of. */
type Page = { lines: string[]; lastSeq: number }

/** The pages of an export, and an empty one at the end. */
async function* readPages(ctx: AppContext, memory: Memory, input: ExportInput): AsyncGenerator<Page> {
  const readPage = await openPages(ctx, memory, input)
  for (let limit = MIN_PAGE_RECORDS; ; ) {
    const page = await readPage(limit)
    const lines = await toLines(ctx, memory.records, page)
    yield { lines, lastSeq: page.at(-1)?.seq ?? 0 }
    if (page.length === 0) return
    limit = nextLimit(limit, lines)
  }
}

/** The same, and from the first damage on what can be read. */
async function* readDespiteDamage(
  ctx: AppContext,
  memory: Memory,
  input: ExportInput,
  onLost: (lost: Lost) => void,
): AsyncGenerator<Page> {
  let lastSeq = 0
  try {
    for await (const page of readPages(ctx, memory, input)) {
      yield page
      lastSeq = page.lastSeq
    }
  } catch (error) {
    if (!(error instanceof DamagedProject) || ctx.store.salvage === undefined) throw error
    for await (const { records, names, lost } of ctx.store.salvage(input.projectId, lastSeq)) {
      yield { lines: await toLines(ctx, names, records, input.workspace), lastSeq }
      if (lost !== undefined) onLost(lost)
    }
  }
}

/** Reads at most `limit` further records; none at the end. */
type ReadPage = (limit: number) => Promise<StoredRecord[]>

async function openPages(ctx: AppContext, memory: Memory, { workspace, only, onLost }: ExportInput): Promise<ReadPage> {
  const { records: project, visible, account, projectId } = memory
  if (only === undefined) {
    const workspaceId = workspace === undefined ? undefined : (await requireWorkspace(project, visible, workspace)).id
    return readBySeq(project, { visible, workspaceId, isChecked: onLost !== undefined })
  }
  return 'ids' in only
    ? readByIds(memory, only.ids)
    : readList(ctx, { accountId: account.id, projectId, visible }, only)
}

function readBySeq(project: ProjectStore, of: Pick<Selection, 'visible' | 'workspaceId' | 'isChecked'>): ReadPage {
  let afterSeq = 0
  return async (limit) => {
    const page = await project.listRecords({ ...of, afterSeq, limit })
    afterSeq = page.at(-1)?.seq ?? afterSeq
    return page
  }
}

function readList(ctx: AppContext, viewer: Viewer, filter: ListArguments): ReadPage {
  let [before, isEnd]: [string | undefined, boolean] = [undefined, false]
  return async (limit) => {
    if (isEnd) return []
    const { records, older } = await listRecords(ctx, viewer, { ...filter, before, limit })
    before = older
    isEnd = older === undefined
    return records
  }
}

function readByIds({ records: project, visible }: Memory, ids: string[]): ReadPage {
  let at = 0
  return async (limit) => {
    let found: StoredRecord[] = []
    while (found.length === 0 && at < ids.length) {
      const read = ids.slice(at, at + limit).map((id) => project.findRecord(visible, id))
      found = (await Promise.all(read)).filter((record) => record !== undefined)
      at += limit
    }
    return found
  }
}

function nextLimit(limit: number, lines: string[]): number {
  const characters = lines.reduce((sum, line) => sum + line.length, 0)
  if (characters > MAX_PAGE_CHARACTERS) return Math.max(MIN_PAGE_RECORDS, limit / 2)
  return characters > MAX_PAGE_CHARACTERS / 2 ? limit : Math.min(MAX_PAGE_RECORDS, limit * 2)
}

/**
 * The lines of a page, or of its records in the workspace `only`. Records of a removed workspace, which are about to be
 * forgotten, are left out.
 */
async function toLines(ctx: AppContext, project: SalvageReads, page: StoredRecord[], only?: string): Promise<string[]> {
  const workspaces = await project.findWorkspacesById([...new Set(page.map(({ workspaceId }) => workspaceId))])
  const names = new Map(
    workspaces.flatMap(({ id, name, removedAt }) => (removedAt === null ? [[id, name] as const] : [])),
  )
  const authors = await authorNames(ctx, new Set(page.map(({ authorId }) => authorId)))
  const sources = await project.findSourceStates(
    page.map(({ workspaceId, audience, sourceId }) => ({ workspaceId, audience, sourceId: sourceId ?? '' })),
  )
  return page.flatMap((record, at) => {
    const workspace = names.get(record.workspaceId)
    if (workspace === undefined || (only !== undefined && toComparableKey(workspace) !== toComparableKey(only)))
      return []
    const source = record.sourceId === null ? undefined : sources[at]
    return [`${JSON.stringify(toEntry(record, { workspace, author: authors.get(record.authorId) ?? '', source }))}\n`]
  })
}
