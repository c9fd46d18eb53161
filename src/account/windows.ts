import { createWindow, WINDOW, type Window } from './window.ts'

/** The windows of keys and projects; those without a call in the last 60 seconds are dropped. */
export type Windows = { of: (id: string, now: number) => Window; size: () => number }

export function createWindows(): Windows {
  const windows = new Map<string, Window>()
  let sweptAt = Number.NEGATIVE_INFINITY

  function sweep(now: number): void {
    if (now - sweptAt < WINDOW) return
    sweptAt = now
    for (const [id, window] of windows) if (window.count(now) === 0) windows.delete(id)
  }

  return {
    of: (id, now) => {
      sweep(now)
      const known = windows.get(id)
      if (known !== undefined) return known
      const made = createWindow()
      windows.set(id, made)
      return made
    },
    size: () => windows.size,
  }
}
