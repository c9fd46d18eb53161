import { searchMemory } from '../src/memory/search/search.ts'
import { keep } from './keep.ts'
import { openBenchService } from './service.ts'

// Saving and search for an evaluator of retrieval quality, which imports the default export: it makes a searcher over a
// new project.

type Doc = { id: string; text: string; src?: string }

/** The longest content of a record. Longer documents are cut. */
const MAX_CONTENT_BYTES = 64 * 1024
/** Saves that are under way at once. */
const CONCURRENT_SAVES = 512

export default async function createSearcher() {
  const opened = await openBenchService()
  const { service, caller, close } = opened
  const ids = new Map<string, string>()

  async function save({ id, text, src }: Doc): Promise<void> {
    const content =
      new TextDecoder().decode(new TextEncoder().encode(text).slice(0, MAX_CONTENT_BYTES - 3)).trim() || '(empty)'
    const saved = await keep(opened, { content, ...(src !== undefined && { source_id: src }) })
    if (!ids.has(saved)) ids.set(saved, id)
  }

  return {
    add: async (docs: Doc[]) => {
      for (let at = 0; at < docs.length; at += CONCURRENT_SAVES)
        await Promise.all(docs.slice(at, at + CONCURRENT_SAVES).map(save))
    },
    search: async (query: string, limit: number) => {
      const { result } = await searchMemory(service, caller, { query, limit })
      return result.map(({ id, score }) => ({ id: ids.get(id) ?? '', score }))
    },
    close,
  }
}
