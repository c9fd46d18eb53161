import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { callJson } from '../call.ts'
import { type Peer, TOP } from '../peer.ts'
import { openStdio } from '../stdio.ts'

/** An address at which nothing answers, so that a server which the person runs is left alone. */
const NO_SERVER = 'http://127.0.0.1:1'

async function search(client: Client, query: string): Promise<string[]> {
  const { results } = await callJson<{ results: { content: string }[] }>(client, 'memory_smart_search', {
    query,
    limit: TOP,
  })
  return results.map(({ content }) => content)
}

/** The standalone server of agentmemory: what it is without its engine, which the registry does not have. */
export const AGENTMEMORY: Peer = {
  name: 'agentmemory, standalone',
  package: { name: '@agentmemory/mcp', version: '0.9.29', by: 'npm' },
  use: 'the standalone server of its documentation, without its engine (a separate program that is not in the registry) and so without ranking; saved with `memory_save`, asked with `memory_smart_search`',
  prepare: async (place) => async () => ({
    ...openStdio(place, {
      command: 'node',
      args: [join(place.installed, 'node_modules/@agentmemory/mcp/bin.mjs')],
      env: { AGENTMEMORY_URL: NO_SERVER },
    }),
    save: async (client, text) => {
      const { saved } = await callJson<{ saved?: string }>(client, 'memory_save', { content: text, type: 'fact' })
      if (saved === undefined) throw new Error('not saved')
    },
    ask: search,
    lookUp: search,
    has: async (client, text) => {
      const { memories } = await callJson<{ memories: { content: string }[] }>(client, 'memory_export', {})
      return memories.some(({ content }) => content === text)
    },
  }),
}
