type ListWatchOptions = {
  /** Reads the service's list; rejects if that fails. */
  read: () => Promise<string>
  /** Notifies the client that its list has changed. */
  notify: () => void
  /** Polling interval, and the one used while the service is unavailable. */
  intervalMs: number
  awayIntervalMs: number
}

/**
 * Keeps a client's list of tools current: reads it every minute, and notifies the client if it differs from the
 * client's.
 */
export function createListWatch({ read, notify, intervalMs, awayIntervalMs }: ListWatchOptions) {
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
    /** The client received this list from the service. */
    given: (tools: string) => {
      known = tools
      isBehind = false
      schedule(intervalMs)
    },
    /**
     * The client received an answer made by the agent, because the service was unavailable. From now on the service is
     * polled until it is available.
     */
    madeUp: () => {
      isBehind = true
      schedule(awayIntervalMs)
    },
    /** The service has answered any request. */
    answered: () => {
      if (isBehind) schedule(0)
    },
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
