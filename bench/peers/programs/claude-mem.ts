import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { findFreePort } from '../../../test/free-port.ts'
import { waitUntil } from '../../../test/wait-until.ts'
import { call, callJson, isIn } from '../call.ts'
import { type Peer, type Place, type Running, TOP } from '../peer.ts'
import { openStdio, toEnvironment } from '../stdio.ts'

const PROJECT = 'bench'
const SCRIPTS = 'node_modules/claude-mem/plugin/scripts'

/**
 * Its MCP tools only read: what is worth keeping is chosen by a language model. Notes by hand go to its worker's HTTP
 * interface.
 */
async function save(url: string, text: string): Promise<number> {
  const body = JSON.stringify({ text, project: PROJECT })
  const answer = await fetch(`${url}/api/memory/save`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  })
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { id: number }).id
}

/** Its three steps as its documentation has them: the search's table of ids, then the notes of these. */
async function search(client: Client, query: string): Promise<string[]> {
  const table = await call(client, 'search', { query, limit: TOP, project: PROJECT, orderBy: 'relevance' })
  const ids = [...table.matchAll(/^\| #(\d+) \|/gm)].map(([, id]) => Number(id))
  if (ids.length === 0) return []
  const notes = await callJson<{ id: number; narrative: string }[]>(client, 'get_observations', { ids })
  return ids.flatMap((wanted) => notes.find(({ id }) => id === wanted)?.narrative ?? [])
}

/** Starts the worker, and the MCP servers of assistants beside it. */
async function start(place: Place, ids: Map<string, number>): Promise<Running> {
  const port = findFreePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    CLAUDE_MEM_WORKER_PORT: String(port),
    CLAUDE_MEM_DATA_DIR: join(place.home, '.claude-mem'),
    CLAUDE_MEM_CHROMA_ENABLED: 'false',
  }
  const worker = Bun.spawn([process.execPath, join(place.installed, SCRIPTS, 'worker-service.cjs'), '--daemon'], {
    cwd: place.home,
    env: toEnvironment(place, env),
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  })
  await waitUntil('the worker answers', () => fetch(`${url}/api/health`).then(isReady, () => false))
  const server = openStdio(place, { command: 'node', args: [join(place.installed, SCRIPTS, 'mcp-server.cjs')], env })
  return {
    ...server,
    save: async (_, text) => void ids.set(text, await save(url, text)),
    ask: search,
    lookUp: search,
    has: async (client, text) => {
      const id = ids.get(text)
      return id !== undefined && isIn(await call(client, 'get_observations', { ids: [id] }), text)
    },
    pids: () => [worker.pid, ...server.pids()],
    stop: async () => {
      await server.stop()
      worker.kill()
      await worker.exited
    },
  }
}

async function isReady(answer: Response): Promise<boolean> {
  return answer.ok && ((await answer.json()) as { initialized?: boolean }).initialized === true
}

/** Memory of Claude Code's sessions: a worker with SQLite, and an MCP server for each assistant. */
export const CLAUDE_MEM: Peer = {
  name: 'claude-mem',
  package: { name: 'claude-mem', version: '13.25.3', by: 'bun' },
  use: 'saved through `POST /api/memory/save` of its worker, since its MCP tools only read; asked with `search` and `get_observations`. Without Chroma, its search by meaning, which fetches Python and a model at its first use',
  prepare: async (place) => {
    const ids = new Map<string, number>()
    return () => start(place, ids)
  },
}
