const MIB = 2 ** 20

/** Resident memory below which the engine is left alone. A service over 100 000 records stays below it. */
const MIN_PRESSED_BYTES = 208 * MIB
/** Growth since the least memory seen after the last collection: a service that is large because it has much to hold does not collect without end. */
const MIN_GROWTH_BYTES = 16 * MIB
const CHECK_INTERVAL_MS = 50

/** What the process asks of its runtime: its resident memory, and a collection of garbage that runs beside it, in threads of the engine. */
export type Runtime = { readRss: () => number; collect: () => void }

const RUNTIME: Runtime = { readRss: () => process.memoryUsage.rss(), collect: () => Bun.gc(false) }

/**
 * Asks for a collection of garbage whenever the process is large and has grown. On a machine with much memory the engine lets its heap become several times as
 * large as what is in use before it collects by itself: under attack the process took 430 to 660 MiB, and takes 240 to 390 with this (bench/stall.ts). Asking takes
 * some 5 ms. Every thread has a heap of its own, so each that may hold much is to call this. Returns the function that stops it.
 */
export function watchMemory(): () => void {
  const timer = setInterval(createPressureCheck(RUNTIME), CHECK_INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

/** One check, to be made now and again. */
export function createPressureCheck({ readRss, collect }: Runtime): () => void {
  let least = 0
  return () => {
    const rss = readRss()
    least = Math.min(least, rss)
    if (rss < MIN_PRESSED_BYTES || rss < least + MIN_GROWTH_BYTES) return
    least = rss
    collect()
  }
}
