/** An act that is repeated until it is stopped. */
export type Repeated = { stop: () => Promise<void> }

/**
 * Runs an act now and again `pause` milliseconds after each end. `stop` resolves once no run is under way; the act is told, so that it may end early.
 * An act must not throw.
 */
export function repeat(pause: number, act: (isStopped: () => boolean) => Promise<unknown>): Repeated {
  let stopped = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = run()

  async function run(): Promise<void> {
    await act(() => stopped)
    if (stopped) return
    timer = setTimeout(() => {
      running = run()
    }, pause)
  }

  return {
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}
