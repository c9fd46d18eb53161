/**
 * Keeps a client's list of tools current: reads it every minute, and notifies the client if it differs from the
 * client's.
 */
type ListWatch = {
  /** The client received this list from the service. */
  given: (tools: string) => void
  /**
   * The client received an answer made by the agent, because the service was unavailable. From now on the service is
   * polled until it is available.
   */
  madeUp: () => void
  /** The service has answered any request. */
  answered: () => void
  stop: () => void
}

type ListWatchOptions = {
  /** Reads the service's list; rejects if that fails. */
  read: () => Promise<string>
  /** Notifies the client that its list has changed. */
  notify: () => void
  /** Polling interval, and the one used while the service is unavailable. */
  intervalMs: number
  awayIntervalMs: number
}

export function createListWatch({ read, notify, intervalMs, awayIntervalMs }: ListWatchOptions): ListWatch {
  let known: string | undefined
  let isBehind = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let isLooking = false
  let isStopped = false

  function schedule(delayMs: number): void {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(look, delayMs).unref()
  }

  async function look(): Promise<void> {
    if (isLooking) return
    isLooking = true
    const tools = await read().catch(() => undefined)
    if (tools !== undefined) {
      if (isBehind || tools !== known) notify()
      known = tools
      isBehind = false
    }
    isLooking = false
    schedule(isBehind ? awayIntervalMs : intervalMs)
  }

  return {
    given: (tools) => {
      known = tools
      isBehind = false
      schedule(intervalMs)
    },
    madeUp: () => {
      isBehind = true
      schedule(awayIntervalMs)
    },
    answered: () => {
      if (isBehind) schedule(0)
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
