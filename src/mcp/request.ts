import type { Caller } from '../account/auth/caller.ts'
import type { Id, Params, ResultText } from '../jsonrpc.ts'
import type { Service } from '../service.ts'
import { type Cancellations, createCancellations } from './cancellations.ts'
import type { Catalogue } from './catalogue.ts'
import { type LongCall, PROGRESS_TIMING, type ProgressTiming } from './progress.ts'

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

export function createMcpContext(service: Service, catalogue: Catalogue, timing = PROGRESS_TIMING): McpContext {
  return { service, catalogue, cancellations: createCancellations(), timing }
}
