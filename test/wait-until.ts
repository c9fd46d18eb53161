/** Milliseconds between two looks, and until a test gives up. */
const INTERVAL_MS = 2
const TIMEOUT_MS = 15_000

/** Resolves once a condition holds. Rejects, with what was waited for, when it does not within 15 seconds, or so many milliseconds. */
export async function waitUntil(what: string, holds: () => boolean | Promise<boolean>, timeoutMs = TIMEOUT_MS): Promise<void> {
  const end = performance.now() + timeoutMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`)
    await Bun.sleep(INTERVAL_MS)
  }
}
