import type { SearchRequest } from '../request.ts'
import { createInMemoryIndex } from './in-memory-index.ts'
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
  const known = caches.facts.get(state)
  // Facts that are known are of a larger project. Otherwise at once, because on a database server each is a round trip.
  const [facts, records] = await Promise.all([
    known ?? readFacts(project, searched, workspaceId),
    known === undefined ? project.listSmallProject(caches.indexes.maxRecords) : undefined,
  ])
  if (records === undefined) {
    caches.facts.set(state, facts)
    return createStoredIndex({ project, projectId, workspaceId, facts, sources: caches.sources, state })
  }
  const { languages } = facts
  const index = await createInMemoryIndex(records, { project, visible: searched, workspaceId, languages })
  caches.indexes.set(state, index)
  return index
}
