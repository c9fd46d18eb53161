import { createSlidingWindow, type SlidingWindow, WINDOW_MS } from './sliding-window.ts'

/** The windows of keys and projects; those without a call in the last 60 seconds are dropped. */
export type SlidingWindows = { of: (id: string, now: number) => SlidingWindow; size: () => number }

export function createSlidingWindows(): SlidingWindows {
  const windows = new Map<string, SlidingWindow>()
  let sweptAt = Number.NEGATIVE_INFINITY

  function sweep(now: number): void {
    if (now - sweptAt < WINDOW_MS) return
    sweptAt = now
    for (const [id, window] of windows) if (window.count(now) === 0) windows.delete(id)
  }

  return {
    of: (id, now) => {
      sweep(now)
      const known = windows.get(id)
      if (known !== undefined) return known
      const made = createSlidingWindow()
      windows.set(id, made)
      return made
    },
    size: () => windows.size,
  }
}
