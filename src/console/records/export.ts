import { PAGE_SIZE } from '../../memory/records/lists/list-records.ts'
import { explainSearch } from '../../memory/search/explain.ts'
import { EVERY_WORKSPACE, MAX_WORDS_OFFSET } from '../../memory/search/request.ts'
import { type ExportInput, exportRecords } from '../../memory/transfer/export-records.ts'
import { type MemoryRequest, openForReading, type PageRequest, pageOf } from '../page.ts'
import { toDownload } from '../response.ts'
import { type Filters, readFilters, toListArguments } from './record-filters.ts'

/** The export of a project's records as JSON Lines. */
export const exports = pageOf(openForReading, {
  path: '/console/projects/:project/export',
  show: (req) => download(req, req.project.name, { projectId: req.project.id }),
})

/** The export of the records that a list shows, as JSON Lines. */
export async function downloadShown(req: MemoryRequest): Promise<Response> {
  const filters = readFilters(req.url.searchParams)
  const only = filters.q === '' ? toListArguments(filters) : { ids: await findIds(req, filters) }
  return download(req, `${req.project.name}-records`, { projectId: req.project.id, only })
}

/** The ids of all records that the words find, best first, up to the number of results that a list can show. */
async function findIds({ service, caller }: MemoryRequest, filters: Filters): Promise<string[]> {
  const { workspace, ...narrowed } = toListArguments(filters)
  const ids: string[] = []
  for (let offset: number | undefined = 0; offset !== undefined && offset <= MAX_WORDS_OFFSET; ) {
    const asked = { query: filters.q, workspace: workspace || EVERY_WORKSPACE, offset, limit: PAGE_SIZE, ...narrowed }
    const { result, next_offset: next }: Awaited<ReturnType<typeof explainSearch>> = await explainSearch(service, caller, asked)
    ids.push(...result.map(({ id }) => id))
    offset = next
  }
  return ids
}

/** The first lines are read before the response begins, so that a refusal becomes a page. */
async function download({ service, actor }: PageRequest, name: string, input: ExportInput): Promise<Response> {
  const batches = exportRecords(service, actor, input)
  const first = await batches.next()
  async function* pieces(): AsyncGenerator<string, void> {
    if (first.done) return
    try {
      yield first.value.join('')
      for await (const lines of batches) yield lines.join('')
    } finally {
      await batches.return(undefined)
    }
  }
  return toDownload(service, { pieces: pieces(), type: 'application/x-ndjson', name, extension: 'jsonl' })
}
