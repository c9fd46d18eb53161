import type { ServiceError } from '../../errors.ts'
import { isObject, tryParseJson } from '../../jsonrpc.ts'
import type { ClientMessage } from './message.ts'

/** Waits before the second, third and fourth attempt. */
const DELAYS_MS = [250, 1_000, 3_000]
/** Random deviation of a delay, as a share of it, so that many agents do not retry simultaneously. */
const JITTER = 0.2
/** Maximum `Retry-After` that the agent waits for itself. */
const MAX_RETRY_AFTER_S = 10

const REPEATABLE_METHODS = new Set([
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'prompts/list',
  'prompts/get',
])

/**
 * Whether a message may be sent again although the service may have carried it out already. `tools` are those that may.
 */
export function isRepeatable(
  { method, name }: Pick<ClientMessage, 'method' | 'name'>,
  tools: ReadonlySet<string>,
): boolean {
  return method === 'tools/call' ? tools.has(name ?? '') : REPEATABLE_METHODS.has(method ?? '')
}

/**
 * The names of the tools whose hints say that they only read, and nothing outside of the service: others may change
 * something, or take minutes. `list` is the JSON text of an array of tools.
 */
export function findRepeatableTools(list: string): ReadonlySet<string> {
  const value = tryParseJson(list)
  const tools: unknown[] = Array.isArray(value) ? value : []
  return new Set(
    tools.filter(isObject).flatMap(({ name, annotations }) => (isReading(annotations) ? String(name) : [])),
  )
}

function isReading(hints: unknown): boolean {
  return isObject(hints) && hints.readOnlyHint === true && hints.openWorldHint === false
}

/** Whether to wait and retry after a busy response, rather than forward it. */
export function isWorthWaiting(repeatable: boolean, error: ServiceError, attempt: number): boolean {
  return (
    repeatable && attempt === 0 && error.retryAfterSeconds !== undefined && error.retryAfterSeconds <= MAX_RETRY_AFTER_S
  )
}

/**
 * Delay in milliseconds before a retry after `attempt` failed (the first is 0); undefined for no retry. A message that
 * never left this machine is always sent again.
 */
export function delayBeforeRetry(
  repeatable: boolean,
  error: ServiceError,
  attempt: number,
  random = Math.random,
): number | undefined {
  if (error.code === 'busy')
    return isWorthWaiting(repeatable, error, attempt) ? 1_000 * (error.retryAfterSeconds ?? 0) : undefined
  const isUnsent = error.code === 'unreachable'
  const isLate = error.code === 'timeout' && attempt === 0
  const isPassing = isLate || error.code === 'broken' || (error.code === 'unexpected' && (error.status ?? 0) >= 500)
  if (!isUnsent && !(isPassing && repeatable)) return undefined
  const delay = DELAYS_MS[attempt]
  return delay && delay * (1 - JITTER + 2 * JITTER * random())
}
