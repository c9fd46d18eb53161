import { ServiceError } from '../../errors.ts'

/** Aborts an exchange at its time limit, or when its client cancels it. The signal's `reason` is a ServiceError. */
export type Watch = {
  signal: AbortSignal
  /** Sets the remaining time in milliseconds; undefined for no limit. */
  extend: (leftMs: number | undefined) => void
  /** Must be called when the exchange is over. */
  clear: () => void
}

export function createWatch(client: AbortSignal, leftMs: number): Watch {
  const controller = new AbortController()
  let timer: ReturnType<typeof setTimeout> | undefined
  const cancel = () => controller.abort(new ServiceError('cancelled', 'The request was cancelled.'))
  const extend = (left: number | undefined) => {
    clearTimeout(timer)
    const end = () => controller.abort(new ServiceError('timeout', 'The service did not answer in time.'))
    timer = left === undefined ? undefined : setTimeout(end, left)
  }
  if (client.aborted) cancel()
  client.addEventListener('abort', cancel, { once: true })
  extend(leftMs)
  return {
    signal: controller.signal,
    extend,
    clear: () => {
      clearTimeout(timer)
      client.removeEventListener('abort', cancel)
    },
  }
}
