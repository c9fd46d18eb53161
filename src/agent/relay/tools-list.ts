import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { ServiceError } from '../../errors.ts'
import { readBytes, toServiceError } from '../answer.ts'
import { MESSAGE_HEADERS, type ServiceClient } from '../service-client.ts'
import { readState, writeState } from '../state-file.ts'
import { findMember, findMembers, findWholeObject, type Span, textOf } from './json-bytes.ts'
import { OWN_TOOL_ENTRY } from './own-answer.ts'

const BRACKET = 0x5b

/**
 * The span of the array of tools in an answer to `tools/list`, and whether it is the last page. Undefined if there is
 * none.
 */
export function findTools(answer: Uint8Array): { tools: Span; isLastPage: boolean } | undefined {
  const result = findMember(answer, findWholeObject(answer), 'result')
  const [tools, cursor] = findMembers(answer, result, ['tools', 'nextCursor'])
  if (tools === undefined || answer[tools.start] !== BRACKET) return undefined
  return { tools, isLastPage: cursor === undefined || textOf(answer, cursor) === 'null' }
}

/** Appends the agent's own tool to the tools; every other byte is unchanged. */
export function withOwnTool(answer: Uint8Array, tools: Span): Uint8Array {
  const isEmpty = textOf(answer, { start: tools.start + 1, end: tools.end - 1 }).trim() === ''
  const entry = Buffer.from(isEmpty ? OWN_TOOL_ENTRY : `,${OWN_TOOL_ENTRY}`)
  return Buffer.concat([answer.subarray(0, tools.end - 1), entry, answer.subarray(tools.end - 1)])
}

const TIMEOUT_MS = 10_000
/** Delay before a rejected key is tried again. A different key is tried at once. */
const REJECTED_MS = 60_000
const MESSAGE = JSON.stringify({ jsonrpc: '2.0', id: 'memsvc-agent', method: 'tools/list' })

/** Reads the JSON text of the service's tools for the agent itself; throws ServiceError. `now` in milliseconds. */
export function createListReader(client: ServiceClient, now: () => number): () => Promise<string> {
  let rejected: { identity: string; at: number; error: ServiceError } | undefined

  return async () => {
    const identity = await client.identify()
    if (rejected?.identity === identity && Math.abs(now() - rejected.at) < REJECTED_MS) throw rejected.error
    try {
      return await readList(client)
    } catch (caught) {
      const error = toServiceError(caught)
      rejected = error.code === 'key_rejected' ? { identity, at: now(), error } : undefined
      throw error
    }
  }
}

async function readList(client: ServiceClient): Promise<string> {
  const request = { headers: MESSAGE_HEADERS, body: MESSAGE, timeoutMs: TIMEOUT_MS, ownConnection: true }
  const answer = await client.send({ method: 'POST', path: '/mcp', ...request })
  const bytes = await readBytes(answer)
  const found = findTools(bytes)
  if (found === undefined)
    throw new ServiceError('busy', `The service did not list its tools (HTTP ${answer.status}).`, answer.status)
  return textOf(bytes, found.tools)
}

export type ListCache = ReturnType<typeof createListCache>

/** Maximum number of files, one for each key and service; the oldest beyond it are removed. */
const MAX_FILES = 16
const FOLDER = 'tools'

/**
 * Persists the latest list of tools, so that a session that starts while the service is down has them. Never throws: a
 * failure only loses the list.
 *
 * `identify` identifies service and key without revealing them, since it becomes a file name. It rejects if there is no
 * key.
 */
export function createListCache(stateDir: string, identify: () => Promise<string>) {
  const folder = join(stateDir, FOLDER)
  const findFile = async () => join(folder, `${await identify()}.json`)

  async function read(): Promise<string | undefined> {
    const tools = await readState(await findFile())
    return typeof tools === 'string' ? tools : undefined
  }

  async function write(tools: string): Promise<void> {
    if ((await read()) === tools) return
    await writeState(await findFile(), tools)
    await prune(folder)
  }

  return {
    /** The JSON text of the array, as received. */
    read: () => read().catch(() => undefined),
    write: (tools: string) => write(tools).catch(() => {}),
  }
}

async function prune(folder: string): Promise<void> {
  const names = await readdir(folder)
  const files = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })))
  const old = files.sort((a, b) => b.at - a.at).slice(MAX_FILES)
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })))
}
