import { OutboundError } from '../errors.ts'

/** One end for a request: its caller gives up, or its time is over. `reason` of the signal is an OutboundError. */
export type Until = { signal: AbortSignal; settle: () => void }

/** Must be settled when the request is over, whatever became of it. `timeoutMs` undefined waits for ever. */
export function until(caller: AbortSignal | null | undefined, timeoutMs: number | undefined): Until {
  const controller = new AbortController()
  const cancel = () => controller.abort(caller?.reason instanceof OutboundError ? caller.reason : new OutboundError('cancelled'))
  const timer = timeoutMs === undefined ? undefined : setTimeout(() => controller.abort(new OutboundError('timeout', timeoutMs)), timeoutMs)
  if (caller?.aborted) cancel()
  caller?.addEventListener('abort', cancel, { once: true })
  return {
    signal: controller.signal,
    settle: () => {
      clearTimeout(timer)
      caller?.removeEventListener('abort', cancel)
    },
  }
}
