import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { call, callJson, isIn } from '../call.ts'
import { type Peer, TOP, toName } from '../peer.ts'
import { openStdio } from '../stdio.ts'

async function search(client: Client, query: string): Promise<string[]> {
  const rows = await callJson<{ content: string }[]>(client, 'memory_search', { query, limit: TOP })
  return rows.map(({ content }) => content)
}

/**
 * The query in the syntax that the tool's description names: words joined by OR, without which every word is required.
 */
function toQuery(text: string): string {
  return (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).map((word) => `"${word}"`).join(' OR ')
}

/** SQLite's full-text search (FTS5) as it is. */
export const SQLITE_MEMORY_MCP: Peer = {
  name: 'sqlite-memory-mcp',
  package: { name: 'sqlite-memory-mcp', version: '1.0.2', by: 'npm' },
  use: 'saved with `memory_write`; asked with `memory_search`, whose query is FTS5 syntax: the words of the question joined by OR, the best that the syntax allows',
  prepare: async (place) => async () => ({
    ...openStdio(place, {
      command: 'node',
      args: [join(place.installed, 'node_modules/sqlite-memory-mcp/dist/index.js')],
    }),
    save: async (client, text) => {
      const { success } = await callJson<{ success: boolean }>(client, 'memory_write', {
        key: toName(text),
        content: text,
      })
      if (!success) throw new Error('not saved')
    },
    ask: (client, question) => search(client, toQuery(question)),
    lookUp: (client, words) => search(client, toQuery(words)),
    has: async (client, text) => isIn(await call(client, 'memory_read', { key: toName(text) }), text),
  }),
}
