import type { ServiceError } from '../../errors.ts'
import type { ClientMessage } from './message.ts'

/** Waits before the second, third and fourth attempt. */
const DELAYS_MS = [250, 1_000, 3_000]
/** The wait is this part longer or shorter, so that the agents of many people do not come back at once. */
const JITTER = 0.2
/** The longest `Retry-After` that is waited for here. */
const MAX_RETRY_AFTER_S = 10

const REPEATABLE_METHODS = new Set(['initialize', 'ping', 'server/discover', 'tools/list', 'prompts/list', 'prompts/get'])
const REPEATABLE_TOOLS = new Set(['search', 'validate_memory'])

/** Whether a message may be sent again although the service may have carried it out already. `remember`, `forget` and whatever another server does may not. */
export function isRepeatable({ method, name }: Pick<ClientMessage, 'method' | 'name'>): boolean {
  if (method === 'tools/call') return REPEATABLE_TOOLS.has(name ?? '')
  return REPEATABLE_METHODS.has(method ?? '')
}

/** Whether an answer that asks to come again later is to be followed rather than passed on. */
export function isWorthWaiting(message: ClientMessage, error: ServiceError, attempt: number): boolean {
  return isRepeatable(message) && attempt === 0 && error.retryAfterSeconds !== undefined && error.retryAfterSeconds <= MAX_RETRY_AFTER_S
}

/**
 * Milliseconds to wait before a message is sent again after `attempt` failed (the first is 0); undefined if it is not. What never left this machine is sent again
 * whatever it is.
 */
export function delayBeforeRetry(message: ClientMessage, error: ServiceError, attempt: number, random = Math.random): number | undefined {
  if (error.code === 'busy') return isWorthWaiting(message, error, attempt) ? 1_000 * (error.retryAfterSeconds ?? 0) : undefined
  const isUnsent = error.code === 'unreachable'
  const isLate = error.code === 'timeout' && attempt === 0
  const isPassing = isLate || error.code === 'broken' || (error.code === 'unexpected' && (error.status ?? 0) >= 500)
  if (!isUnsent && !(isPassing && isRepeatable(message))) return undefined
  const delay = DELAYS_MS[attempt]
  return delay && delay * (1 - JITTER + 2 * JITTER * random())
}
