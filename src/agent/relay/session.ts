import type { ServiceError } from '../../errors.ts'
import { toServiceError } from '../answer.ts'
import type { SyncReport } from '../histories/sync/report.ts'
import type { ServiceClient } from '../service-client.ts'
import { adviceFor, exchange } from './exchange.ts'
import { findMember, findString, findWholeObject, textOf } from './json-bytes.ts'
import type { Output } from './lines.ts'
import { createListWatch } from './list-watch.ts'
import type { ClientMessage } from './message.ts'
import { isOwnCall, LIST_CHANGED, toError, toInitialized, toKnownList, toOwnResult, toResult } from './own-answer.ts'
import { findRepeatableTools, isRepeatable } from './retry.ts'
import { createListReader, findTools, type ListCache, withOwnTool } from './tools-list.ts'

export type Session = ReturnType<typeof createSession>

type SessionOptions = {
  client: ServiceClient
  cache: ListCache
  output: Output
  /** Writes one line for the user at this machine. */
  report: (text: string) => void
  /** Reads the state of the upload of session histories. */
  readSyncReport: () => Promise<SyncReport>
  /** Milliseconds since 1970. */
  now: () => number
  /** Interval at which the list of tools is read again, and the one used while the service is unavailable. */
  intervalMs: number
  awayIntervalMs: number
}

/**
 * Time limits for requests that the agent can answer itself, and for those that a client has an alternative for. Some
 * clients allow a server only ten seconds to start.
 */
const TIMEOUTS_MS: Record<string, number> = { initialize: 3_000, 'server/discover': 3_000, 'tools/list': 5_000 }

/** Failures of the connection as a whole, which last until it is repaired. */
const LASTING = new Set([
  'endpoint_invalid',
  'key_missing',
  'key_malformed',
  'key_rejected',
  'unreachable',
  'certificate',
  'unexpected',
])

/** One client's conversation with the service. */
export function createSession(options: SessionOptions) {
  const { client, cache, output, report, now } = options
  const readList = createListReader(client, now)
  /** The protocol version negotiated by `initialize`; undefined in the stateless era. */
  let agreedVersion: string | undefined
  let failure: ServiceError | undefined
  let written = Promise.resolve()
  let repeatableTools: Promise<ReadonlySet<string>> = cache.read().then((tools = '[]') => findRepeatableTools(tools))

  const watch = createListWatch({
    ...options,
    read: async () => {
      const tools = await readList().catch((error) => Promise.reject(fail(toServiceError(error))))
      recover()
      await keepList(tools)
      return tools
    },
    // In the stateless era a client is notified only on a subscription, and reads the list again by itself.
    notify: () => void (agreedVersion !== undefined && output.send(LIST_CHANGED)),
  })

  function fail(error: ServiceError): ServiceError {
    if (!LASTING.has(error.code)) return error
    if (failure?.message !== error.message) report(error.message)
    failure = error
    return error
  }

  function recover(): void {
    if (failure !== undefined) report(`connected to ${client.baseUrl}`)
    failure = undefined
    watch.answered()
  }

  function edit(message: ClientMessage, line: Uint8Array): Uint8Array {
    if (message.method === 'initialize') agreedVersion = findAgreedVersion(line) ?? agreedVersion
    const found = message.method === 'tools/list' ? findTools(line) : undefined
    if (found === undefined || !found.isLastPage) return line
    const isWhole = findMember(message.bytes, message.params, 'cursor') === undefined
    if (isWhole) giveList(textOf(line, found.tools))
    return withOwnTool(line, found.tools)
  }

  function giveList(tools: string): void {
    watch.given(tools)
    written = keepList(tools)
  }

  function keepList(tools: string): Promise<void> {
    repeatableTools = Promise.resolve(findRepeatableTools(tools))
    return cache.write(tools)
  }

  async function forward(message: ClientMessage, signal: AbortSignal): Promise<void> {
    const timeoutMs = TIMEOUTS_MS[message.method ?? '']
    const mayWait = failure === undefined && timeoutMs === undefined
    const pass = (line: Uint8Array) => {
      const edited = edit(message, line)
      recover()
      return signal.aborted ? Promise.resolve() : output.send(edited)
    }
    const repeatable = isRepeatable(message, await repeatableTools)
    await exchange(client, message, { repeatable, agreedVersion, signal, timeoutMs, mayWait, pass })
  }

  async function answerOwnCall(message: ClientMessage): Promise<void> {
    if (message.kind === 'request') await output.send(toResult(message, toOwnResult(await options.readSyncReport())))
  }

  async function answerItself(message: ClientMessage, error: ServiceError): Promise<void> {
    const { kind, method, id, version } = message
    if (kind === 'notification' || kind === 'response') return
    if (method === 'initialize') {
      watch.madeUp()
      const line = toInitialized(message, error)
      agreedVersion = findAgreedVersion(line)
      return output.send(line)
    }
    if (method === 'tools/list') {
      watch.madeUp()
      // The client may ask again before the list that it was given is in the cache.
      await written
      return output.send(toKnownList(message, (await cache.read()) ?? '[]'))
    }
    // A client without an answer to it considers the agent dead.
    if (method === 'ping' && version === undefined) return output.send(toResult(message, {}))
    return output.send(toError(id, error, adviceFor(message, isRepeatable(message, await repeatableTools), error)))
  }

  return {
    /** Reports errors of the settings, without a request. */
    checkSettings: async () => void (await client.identify().catch((error) => fail(toServiceError(error)))),
    /** Answers a message from the service or, if that is not possible, as well as the agent can. Never rejects. */
    handle: async (message: ClientMessage, signal: AbortSignal) => {
      if (isOwnCall(message)) return answerOwnCall(message)
      try {
        await forward(message, signal)
      } catch (caught) {
        if (!signal.aborted) await answerItself(message, fail(toServiceError(caught)))
      }
    },
    /** Stops polling the list of tools. Resolves when its cache was written. */
    stop: () => {
      watch.stop()
      return written
    },
  }
}

function findAgreedVersion(answer: Uint8Array): string | undefined {
  return findString(
    answer,
    findMember(answer, findMember(answer, findWholeObject(answer), 'result'), 'protocolVersion'),
  )
}
