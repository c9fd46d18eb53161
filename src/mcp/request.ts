import type { Caller } from '../account/auth/caller.ts'
import type { Id, Params, ResultText } from '../jsonrpc.ts'
import type { Service } from '../service.ts'
import type { Catalogue } from './catalogue.ts'
import type { LongCall, ProgressTiming } from './progress.ts'

/** What is needed to answer any message: the service, its tools, and the forwarded calls in progress. */
export type McpContext = {
  service: Service
  catalogue: Catalogue
  cancellations: Cancellations
  timing: ProgressTiming
}

/**
 * One authenticated request. `identify()` authenticates the caller again, and throws Unauthorized if the credential was
 * revoked or expired meanwhile. `signal()` is aborted when the client disconnects; it is created at the first call,
 * since most requests need none.
 */
export type McpRequest = McpContext & {
  caller: Caller
  identify: () => Promise<Caller>
  headers: Headers
  id: Id
  params: Params
  /** Size of its body. */
  bytes: number
  signal: () => AbortSignal
}

/** Answers one method with its result, without the members that its protocol era adds. */
export type Method = (request: McpRequest) => ResultText | LongCall | Promise<ResultText | LongCall>

export function createMcpContext(service: Service, catalogue: Catalogue, timing: ProgressTiming): McpContext {
  return { service, catalogue, cancellations: createCancellations(), timing }
}

/** What identifies the client of a request, to match a later notification to it. */
type Sender = { caller: Caller; headers: Headers }

/** The calls in progress that their clients may cancel: forwarded ones, and reads of a database. */
type Cancellations = {
  /** Runs a call with a signal that is also aborted when its client cancels it. */
  run: <T>(sender: Sender, id: Id, signal: AbortSignal, call: (signal: AbortSignal) => Promise<T>) => Promise<T>
  /** Cancels the call with this id. */
  cancel: (sender: Sender, id: unknown) => void
}

/**
 * There are no sessions, so a notification does not say which client of a key sent it. It is matched by key, IP
 * address, `User-Agent` and the id of the call; if two calls match, neither is cancelled.
 */
function createCancellations(): Cancellations {
  const calls = new Map<string, Set<AbortController>>()
  return {
    run: async (sender, id, signal, call) => {
      const key = toKey(sender, id)
      const controller = new AbortController()
      const sameKey = calls.get(key) ?? new Set()
      calls.set(key, sameKey.add(controller))
      try {
        return await call(AbortSignal.any([signal, controller.signal]))
      } finally {
        sameKey.delete(controller)
        if (sameKey.size === 0) calls.delete(key)
      }
    },
    cancel: (sender, id) => {
      const [call, ...others] = calls.get(toKey(sender, id)) ?? []
      if (others.length === 0) call?.abort()
    },
  }
}

function toKey({ caller, headers }: Sender, id: unknown): string {
  return JSON.stringify([caller.keyId, caller.clientIp?.(), headers.get('user-agent'), id])
}
