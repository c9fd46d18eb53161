import type { SearchRequest } from '../request.ts'
import { createInMemoryIndex, MAX_IN_MEMORY_RECORDS } from './in-memory-index.ts'
import type { SearchIndex } from './search-index.ts'
import { createStoredIndex, readFacts } from './stored-index.ts'

/**
 * The index of the searched part of a project: built in memory for a small project, otherwise a view of the index that
 * the store keeps.
 */
export async function openIndex({
  project,
  projectId,
  searched,
  workspaceId,
  dataVersion,
  caches,
}: SearchRequest): Promise<SearchIndex> {
  const state = `${dataVersion} ${workspaceId} ${searched?.join(' ')}`
  const cached = caches.indexes.get(state)
  if (cached !== undefined) return cached
  const facts = caches.facts.get(state) ?? (await readFacts(project, searched, workspaceId))
  caches.facts.set(state, facts)
  const isSmall = facts.projectRecords <= MAX_IN_MEMORY_RECORDS
  const records = isSmall ? await project.listSmallProject(MAX_IN_MEMORY_RECORDS) : undefined
  if (records === undefined) {
    return createStoredIndex({ project, projectId, workspaceId, facts, sources: caches.sources, state })
  }
  const index = await createInMemoryIndex(records, { visible: searched, workspaceId, languages: facts.languages })
  caches.indexes.set(state, index)
  return index
}
