import { OutboundError } from './outbound-error.ts'

/** Ends a request when its caller gives up or its time is over. The signal's `reason` is an OutboundError. */
export type Deadline = {
  signal: AbortSignal
  /** Restarts the time limit, up to the end of the total time. */
  restart: () => void
  /**
   * Must be called when the request is over, whatever its outcome: stops the timer and detaches from the caller's
   * signal.
   */
  clear: () => void
}

/** `timeoutMs` undefined means no time limit; `totalMs` bounds the time including all restarts. */
export function createDeadline(
  caller: AbortSignal | null | undefined,
  timeoutMs: number | undefined,
  totalMs = timeoutMs,
): Deadline {
  const controller = new AbortController()
  const startedAt = performance.now()
  const cancel = () =>
    controller.abort(caller?.reason instanceof OutboundError ? caller.reason : new OutboundError('cancelled'))
  const start = () => {
    if (timeoutMs === undefined || totalMs === undefined) return undefined
    const left = totalMs - (performance.now() - startedAt)
    const exceeded = left < timeoutMs ? totalMs : timeoutMs
    return setTimeout(() => controller.abort(new OutboundError('timeout', exceeded)), Math.min(left, timeoutMs))
  }
  let timer = start()
  if (caller?.aborted) cancel()
  caller?.addEventListener('abort', cancel, { once: true })
  return {
    signal: controller.signal,
    restart: () => {
      clearTimeout(timer)
      if (!controller.signal.aborted) timer = start()
    },
    clear: () => {
      clearTimeout(timer)
      caller?.removeEventListener('abort', cancel)
    },
  }
}
