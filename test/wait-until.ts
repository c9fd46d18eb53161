/** Between two looks. */
const INTERVAL_MS = 2
/**
 * Until a test gives up. Less than the 30 seconds after which agents and services look again by themselves, which would
 * hide that nobody told them.
 */
const TIMEOUT_MS = 25_000

/**
 * Resolves once a condition holds. Rejects, with what was waited for, when it does not within 25 seconds, or so many
 * milliseconds.
 */
export async function waitUntil(
  what: string,
  holds: () => boolean | Promise<boolean>,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const end = performance.now() + timeoutMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited ${timeoutMs} ms in vain: ${what}`)
    await Bun.sleep(INTERVAL_MS)
  }
}
