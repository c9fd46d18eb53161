import { searchMemory } from '../src/memory/search/search.ts'
import { keep } from './keep.ts'
import { openBenchService } from './service.ts'

// Drives saving and the act `search` for a quality evaluator: its default export makes a searcher over a new project.

type Doc = { id: string; text: string; src?: string }

/** Most bytes that a record may hold; longer documents are cut. */
const LARGEST = 64 * 1024
/** Saves that wait together. */
const TOGETHER = 512

export default async function createSearcher() {
  const opened = await openBenchService()
  const { service, caller, close } = opened
  const ids = new Map<string, string>()

  async function save({ id, text, src }: Doc): Promise<void> {
    const content = new TextDecoder().decode(new TextEncoder().encode(text).slice(0, LARGEST - 3)).trim() || '(empty)'
    const saved = await keep(opened, { content, ...(src !== undefined && { source_id: src }) })
    if (!ids.has(saved)) ids.set(saved, id)
  }

  return {
    add: async (docs: Doc[]) => {
      for (let at = 0; at < docs.length; at += TOGETHER) await Promise.all(docs.slice(at, at + TOGETHER).map(save))
    },
    search: async (query: string, limit: number) => {
      const { result } = await searchMemory(service, caller, { query, limit })
      return result.map(({ id, score }) => ({ id: ids.get(id) ?? '', score }))
    },
    close,
  }
}
