import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { call, callJson } from '../call.ts'
import { type Peer, TOP, toName } from '../peer.ts'
import { openStdio } from '../stdio.ts'

type Graph = { entities: { observations: string[] }[] }

async function search(client: Client, query: string): Promise<string[]> {
  const { entities } = await callJson<Graph>(client, 'search_nodes', { query, limit: TOP })
  return entities.flatMap(({ observations }) => observations)
}

/** A knowledge graph in libSQL. It returns what contains the query, with any letters where it has blanks. */
export const MCP_MEMORY_LIBSQL: Peer = {
  name: 'mcp-memory-libsql',
  package: { name: 'mcp-memory-libsql', version: '0.0.17', by: 'npm' },
  use: 'each note is an entity with one observation (`create_entities`); asked with `search_nodes`',
  prepare: async (place) => async () => ({
    ...openStdio(place, {
      command: 'node',
      args: [join(place.installed, 'node_modules/mcp-memory-libsql/dist/index.js')],
      env: { LIBSQL_URL: `file:${join(place.home, 'memory.db')}` },
    }),
    save: async (client, text) => {
      const entities = [{ name: toName(text), entityType: 'note', observations: [text] }]
      const answer = await call(client, 'create_entities', { entities })
      if (!answer.startsWith('Successfully')) throw new Error(answer)
    },
    ask: search,
    lookUp: search,
    has: async (client, text) => (await search(client, text)).includes(text),
  }),
}
