import { readdirSync, readFileSync } from 'node:fs'
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/** Interval of the timer whose delay is measured. */
const DELAY_PERIOD_MS = 100
const DELAY_SECONDS = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

/**
 * Adds the standard process metrics, as far as the system has them, and the delay of the event loop. The library's own
 * are made for Node.js; under Bun half of them are always zero. Returns a function that stops the measuring.
 */
export function addProcessMetrics(registry: Registry): () => void {
  const registers = [registry]
  new Counter({
    name: 'process_cpu_seconds_total',
    help: 'time of the processor, of user and system',
    registers,
    collect() {
      const { user, system } = process.cpuUsage()
      this.reset()
      this.inc((user + system) / 1e6)
    },
  })
  const gauge = (name: string, help: string, read: () => number | undefined) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        const value = read()
        if (value === undefined) this.remove()
        else this.set(value)
      },
    })
  gauge('process_resident_memory_bytes', 'memory of the process', () => process.memoryUsage.rss())
  gauge(
    'process_start_time_seconds',
    'when the process started, in seconds since 1970',
    () => performance.timeOrigin / 1000,
  )
  gauge('process_open_fds', 'open file descriptors; on Linux', countDescriptors)
  gauge('process_max_fds', 'file descriptors that may be open; on Linux', findMaxDescriptors)
  return watchDelay(registry)
}

function watchDelay(registry: Registry): () => void {
  const help = 'how late a timer of 100 ms was: what others waited for'
  const delay = new Histogram({
    name: 'memsvc_event_loop_delay_seconds',
    help,
    buckets: DELAY_SECONDS,
    registers: [registry],
  })
  let due = performance.now() + DELAY_PERIOD_MS
  const timer = setInterval(() => {
    const now = performance.now()
    delay.observe(Math.max(0, now - due) / 1000)
    due = now + DELAY_PERIOD_MS
  }, DELAY_PERIOD_MS)
  timer.unref()
  return () => clearInterval(timer)
}

function countDescriptors(): number | undefined {
  try {
    return readdirSync('/proc/self/fd').length
  } catch {
    return undefined
  }
}

function findMaxDescriptors(): number | undefined {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return limit === undefined ? undefined : Number(limit)
  } catch {
    return undefined
  }
}
