import type { SearchRequest } from '../request.ts'
import { createInMemoryIndex, MAX_IN_MEMORY_RECORDS } from './in-memory-index.ts'
import type { SearchIndex } from './search-index.ts'
import { createStoredIndex } from './stored-index.ts'

/** The index of the searched part of a project: built in memory for a small project, otherwise a view of the index that the store keeps. */
export async function openIndex({ project, projectId, searched, workspaceId, dataVersion, caches }: SearchRequest): Promise<SearchIndex> {
  const state = `${dataVersion} ${workspaceId} ${searched?.join(' ')}`
  const cached = caches.indexes.get(state)
  if (cached !== undefined) return cached
  const { facts, sources } = caches
  // Facts are cached for large projects only, so a hit saves reading the project to find out its size.
  const records = facts.get(state) === undefined ? await project.listSmallProject(MAX_IN_MEMORY_RECORDS) : undefined
  if (records === undefined) {
    return createStoredIndex({ project, projectId, visible: searched, workspaceId, tokens: caches.tokens.at(state), facts, sources, state })
  }
  const languages = await project.readLanguages(searched, workspaceId)
  const index = await createInMemoryIndex(records, { visible: searched, workspaceId, languages })
  caches.indexes.set(state, index)
  return index
}
