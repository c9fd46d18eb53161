import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createProcesses } from '../../../src/commands/bench/processes.ts'
import { issueKeys } from '../../../src/commands/bench/run-bench.ts'
import { call, callJson } from '../call.ts'
import { type Peer, type Running, TOP } from '../peer.ts'

/** The built executable. */
export const EXECUTABLE = join(import.meta.dir, '../../../dist/memsvc')

type Found = { result: { content: string }[] }

async function search(client: Client, query: string, also: string[] = []): Promise<string[]> {
  const { result } = await callJson<Found>(client, 'search', { query, limit: TOP, also })
  return result.map(({ content }) => content)
}

async function start(program: string[], dataDir: string, key: string): Promise<Running> {
  const processes = createProcesses(program, process.env, () => performance.now())
  const { url, pid } = await processes.serve(dataDir)
  const clients: Client[] = []
  return {
    connect: async () => {
      const client = new Client({ name: 'bench', version: '1' })
      const requestInit = { headers: { Authorization: `Bearer ${key}` } }
      const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit })
      await client.connect(transport as Parameters<Client['connect']>[0])
      clients.push(client)
      return client
    },
    save: async (client, content) => void (await call(client, 'remember', { content })),
    ask: (client, question) => search(client, question),
    lookUp: (client, words) => search(client, words),
    wordings: {
      save: async (client, content, phrases) => void (await call(client, 'remember', { content, asked_as: phrases })),
      ask: search,
    },
    has: async (client, text) => (await search(client, text)).includes(text),
    pids: () => [pid],
    stop: async () => {
      await Promise.all(clients.map((client) => client.close()))
      await processes.end()
    },
  }
}

/** This project's own program: one service for all assistants, over HTTP. */
export const toMemsvc = (program: string[]): Peer => ({
  name: 'memsvc',
  use: 'saved with `remember`, asked with `search`',
  prepare: async ({ home }) => {
    const dataDir = join(home, 'data')
    await mkdir(dataDir)
    const processes = createProcesses(program, process.env, () => performance.now())
    await (await processes.serve(dataDir)).stop()
    const [key = ''] = await issueKeys(processes, dataDir, 1)
    return () => start(program, dataDir, key)
  },
})
