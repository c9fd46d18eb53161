import { OutboundError } from '../errors.ts'

/** Ends a request when its caller gives up or its time is over. The signal's `reason` is an OutboundError. */
export type Deadline = {
  signal: AbortSignal
  /** Must be called when the request is over, whatever its outcome: stops the timer and lets go of the caller's signal. */
  clear: () => void
}

/** `timeoutMs` undefined means no time limit. */
export function createDeadline(caller: AbortSignal | null | undefined, timeoutMs: number | undefined): Deadline {
  const controller = new AbortController()
  const cancel = () => controller.abort(caller?.reason instanceof OutboundError ? caller.reason : new OutboundError('cancelled'))
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => controller.abort(new OutboundError('timeout', timeoutMs)), timeoutMs)
  if (caller?.aborted) cancel()
  caller?.addEventListener('abort', cancel, { once: true })
  return {
    signal: controller.signal,
    clear: () => {
      clearTimeout(timer)
      caller?.removeEventListener('abort', cancel)
    },
  }
}
