import { ServiceError } from '../../errors.ts'
import { readBytes } from '../answer-body.ts'
import { MESSAGE_HEADERS, type ServiceClient } from '../service-client.ts'
import { toServiceError } from '../service-errors.ts'
import { textOf } from './json-bytes.ts'
import { findTools } from './tools-list.ts'

const TIMEOUT_MS = 10_000
/** Delay before a rejected key is tried again. A different key is tried at once. */
const REJECTED_MS = 60_000
const MESSAGE = JSON.stringify({ jsonrpc: '2.0', id: 'memsvc-agent', method: 'tools/list' })

/** Reads the JSON text of the service's tools for the agent itself; throws ServiceError. `now` in milliseconds. */
export function createListReader(client: ServiceClient, now: () => number): () => Promise<string> {
  let rejected: { identity: string; at: number; error: ServiceError } | undefined

  return async () => {
    const identity = await client.identify()
    if (rejected?.identity === identity && now() - rejected.at < REJECTED_MS) throw rejected.error
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
  if (found === undefined) throw new ServiceError('busy', `The service did not list its tools (HTTP ${answer.status}).`, answer.status)
  return textOf(bytes, found.tools)
}
