/** Writes one event. Fields must hold no content, key or header. */
export type Log = (event: string, fields?: Record<string, unknown>) => void

/** One JSON line per event, to standard error. */
export function createLog(now: () => number, write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  return (event, fields = {}) => write(`${JSON.stringify({ at: new Date(now()).toISOString(), event, ...fields })}\n`)
}
