import { create, insertMultiple, search } from '@orama/orama'
import type { Engine } from './engine.ts'

export function openOrama(): Engine {
  const index = create({ schema: { text: 'string' } as const })
  return {
    name: 'Orama',
    add: async (texts) =>
      void (await insertMultiple(
        index,
        texts.map((text) => ({ text })),
        texts.length,
      )),
    search: async (query) => (await search(index, { term: query, limit: 10 })).hits.length,
    indexBytes: () => undefined,
    close: () => {},
  }
}
