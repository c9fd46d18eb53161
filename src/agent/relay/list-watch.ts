/** Keeps a client's list of tools up to date: reads it again every minute, and tells the client when it differs from what the client has. */
export type ListWatch = {
  /** The client was given this list of the service's. */
  given: (tools: string) => void
  /** The client was given an answer of the agent's own, because the service could not be used. From now on the service is looked for, until it can be. */
  madeUp: () => void
  /** The service has answered something. */
  answered: () => void
  stop: () => void
}

export type ListWatchOptions = {
  /** Reads the list of the service; rejects if it cannot be used. */
  read: () => Promise<string>
  /** Tells the client that its list has changed. */
  notify: () => void
  /** Time between two looks, and between two looks while the service cannot be used. */
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
