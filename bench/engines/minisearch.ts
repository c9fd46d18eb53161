import MiniSearch from 'minisearch'
import type { Engine } from './engine.ts'

export function openMiniSearch(): Engine {
  const index = new MiniSearch<{ id: number; text: string }>({ fields: ['text'] })
  let count = 0
  return {
    name: 'MiniSearch',
    add: (texts) => index.addAll(texts.map((text) => ({ id: ++count, text }))),
    search: (query) => index.search(query).slice(0, 10).length,
    indexBytes: () => undefined,
    close: () => {},
  }
}
