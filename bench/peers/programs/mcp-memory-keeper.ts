import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { call, isIn } from '../call.ts'
import { type Peer, type Place, type Running, TOP, toName } from '../peer.ts'
import { openStdio } from '../stdio.ts'

/**
 * Keys of what a question in plain words finds. The answer is made for people; it shortens long values, but not keys.
 */
async function askKeys(client: Client, query: string): Promise<string[]> {
  const answer = await call(client, 'context_semantic_search', { query, topK: TOP })
  return [...answer.matchAll(/^ {3}Key: (.*)$/gm)].map(([, key = '']) => key)
}

async function lookUp(client: Client, query: string): Promise<string[]> {
  const answer = await call(client, 'context_search', { query, limit: TOP, includeMetadata: true })
  if (answer.startsWith('No results')) return []
  return (JSON.parse(answer) as { items: { value: string }[] }).items.map(({ value }) => value)
}

/** A key as it takes them: of ASCII letters, digits and hyphens, another for each note. */
function toKey(text: string, number: number): string {
  const words = toName(text)
    .split('-')
    .filter((word) => /^[a-z0-9]+$/.test(word))
  return [...words, 'note', number].join('-')
}

/** Saves a note. A save that is refused is answered like one that is not, but for its text. */
async function save(client: Client, key: string, text: string): Promise<void> {
  const answer = await call(client, 'context_save', { key, value: text, category: 'note' })
  if (!answer.startsWith('Saved: ')) throw new Error(answer)
}

async function start(place: Place, texts: Map<string, string>): Promise<Running> {
  const server = openStdio(place, {
    command: 'node',
    args: [join(place.installed, 'node_modules/mcp-memory-keeper/dist/index.js')],
    env: { DATA_DIR: place.home },
  })
  return {
    ...server,
    connect: async () => {
      const client = await server.connect()
      await call(client, 'context_session_start', { name: 'bench' })
      return client
    },
    save: async (client, text) => {
      const key = toKey(text, texts.size)
      texts.set(key, text)
      await save(client, key, text)
    },
    ask: async (client, question) => (await askKeys(client, question)).flatMap((key) => texts.get(key) ?? []),
    lookUp,
    has: async (client, text) => {
      const [key = ''] = [...texts].find(([, saved]) => saved === text) ?? []
      return isIn(await call(client, 'context_get', { key }), text)
    },
  }
}

/** Saved context of coding sessions in SQLite, with a search for parts of texts and another one for plain questions. */
export const MCP_MEMORY_KEEPER: Peer = {
  name: 'mcp-memory-keeper',
  package: { name: 'mcp-memory-keeper', version: '0.14.1', by: 'npm' },
  use: 'saved with `context_save`; questions go to `context_semantic_search`, key words to `context_search`',
  prepare: async (place) => {
    const texts = new Map<string, string>()
    return async () => start(place, texts)
  },
}
