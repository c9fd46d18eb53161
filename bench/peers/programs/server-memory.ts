import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { callJson } from '../call.ts'
import { type Peer, toName } from '../peer.ts'
import { openStdio } from '../stdio.ts'

type Graph = { entities: { observations: string[] }[] }

const readGraph = async (client: Client, tool: string, args: Record<string, unknown>) =>
  (await callJson<Graph>(client, tool, args)).entities.flatMap(({ observations }) => observations)

const search = (client: Client, query: string) => readGraph(client, 'search_nodes', { query })

/** The reference server. It returns what contains the query as it stands, oldest first. */
export const SERVER_MEMORY: Peer = {
  name: 'server-memory',
  package: { name: '@modelcontextprotocol/server-memory', version: '2026.8.31', by: 'npm' },
  use: 'each note is an entity with one observation (`create_entities`); asked with `search_nodes`, which finds what contains the query as it stands',
  prepare: async (place) => async () => ({
    ...openStdio(place, {
      command: 'node',
      args: [join(place.installed, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js')],
      env: { MEMORY_FILE_PATH: join(place.home, 'memory.jsonl') },
    }),
    save: async (client, text) => {
      const entities = [{ name: toName(text), entityType: 'note', observations: [text] }]
      const created = await callJson<unknown[]>(client, 'create_entities', { entities })
      if (created.length !== 1) throw new Error('not saved: the name is taken')
    },
    ask: search,
    lookUp: search,
    has: async (client, text) => (await readGraph(client, 'read_graph', {})).includes(text),
  }),
}
