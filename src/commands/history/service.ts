import { readBytes, readObject, toBusy, toObject, toServiceError, toUnexpected } from '../../agent/answer.ts'
import { createServiceClient } from '../../agent/service-client.ts'
import { ServiceError } from '../../errors.ts'
import type { FoundPage } from '../../history/find/find-sessions.ts'
import type { Hits } from '../../history/read/grep.ts'
import type { HistoryState, SessionPage } from '../../history/read/list-sessions.ts'
import type { Transcript } from '../../history/read/transcript.ts'
import { isObject } from '../../jsonrpc.ts'
import type { Cli } from '../cli.ts'

/** What the service answers; on the wire, a `next` that is undefined is left out. */
export type SessionList = SessionPage & { state: HistoryState }

const TIMEOUT_MS = 60_000
/** For a short question. */
const SOON_MS = 5_000
const PATH = '/v1/sync'

/** Client for the session histories of the key's holder. Every method throws ServiceError. */
export function createHistoryClient({ environment }: Pick<Cli, 'environment'>) {
  const client = createServiceClient(environment)

  async function send(method: 'GET' | 'POST', path: string, timeoutMs?: number): Promise<Response> {
    const answer = await client.send({
      method,
      path: PATH + path,
      ...(timeoutMs !== undefined && { timeoutMs }),
      ownConnection: true,
    })
    if (answer.status === 200) return answer
    throw await toError(answer)
  }

  async function ask(method: 'GET' | 'POST', path: string, timeoutMs = TIMEOUT_MS): Promise<unknown> {
    const answer = await send(method, path, timeoutMs)
    const bytes = await readBytes(answer).catch((error) => {
      throw toServiceError(error)
    })
    const value = toObject(bytes)
    if (value === undefined) throw toUnexpected(answer)
    return value
  }

  return {
    list: (query: Query) => ask('GET', toQuery('/sessions', query)) as Promise<SessionList>,
    find: (query: Query) => ask('GET', toQuery('/find', query)) as Promise<FoundPage>,
    lines: (id: string, query: Query) =>
      ask('GET', toQuery(`/sessions/${encodeURIComponent(id)}/lines`, query)) as Promise<Transcript>,
    matches: (id: string, query: Query) =>
      ask('GET', toQuery(`/sessions/${encodeURIComponent(id)}/matches`, query)) as Promise<Hits>,
    erase: (id: string) =>
      ask('POST', `/sessions/${encodeURIComponent(id)}/erase`) as Promise<{ sources: number; lines: number }>,
    eraseAll: () => ask('POST', '/sessions/erase') as Promise<{ sources: number; lines: number }>,
    makeConsoleCode: () =>
      ask('POST', '/console-code') as Promise<{ code: string; expires_at: string; member: string }>,
    readSuggestions: () => ask('GET', '/suggestions', SOON_MS) as Promise<{ suggestions: boolean }>,
    setSuggestions: (answer: 'yes' | 'no') => ask('POST', `/suggestions/${answer}`),
    /** Streams the lines of a session. */
    export: async (id: string) => {
      const { body } = await send('GET', `/sessions/${encodeURIComponent(id)}/export`)
      return body ?? new ReadableStream<Uint8Array>()
    },
  }
}

type Query = Record<string, string | number | boolean | undefined>

function toQuery(path: string, query: Query): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== false) given.set(name, value === true ? 'yes' : String(value))
  }
  return given.size === 0 ? path : `${path}?${given}`
}

async function toError(answer: Response): Promise<ServiceError> {
  if (answer.status === 429 || answer.status === 503) return toBusy(answer)
  const { error = {} } = (await readObject(answer)) ?? {}
  return isObject(error) && typeof error.message === 'string'
    ? new ServiceError('refused', error.message, answer.status)
    : toUnexpected(answer)
}
