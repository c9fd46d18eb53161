/** Writes one event. Fields must hold no content, key or header. */
export type Log = (event: string, fields?: Record<string, unknown>) => void

/** Lines of one event written in a minute; those beyond are counted. */
const MAX_LINES_A_MINUTE = 60
const MINUTE_MS = 60_000
/** Longest text of a field, in characters: a stack has its first dozen frames. */
const MAX_FIELD_CHARACTERS = 2_000
/** A line that stands in for one of the audit log is never held back. */
const NEVER_HELD_BACK = 'an audit line was not written'

/** What may open something: the rest of a link's path, a credential, a code or secret in a query. */
const SECRETS: [RegExp, string][] = [
  [/(\/console\/(?:enter|join)\/)[^\s"'\\?#<>/]+/g, '$1…'],
  [/\b(sv[co]_)[A-Za-z0-9_-]+/g, '$1…'],
  [/([?&](?:code|state|ticket|token|key|password|client_secret|code_verifier)=)[^\s"'\\&#<>]+/g, '$1…'],
]

/** The text without what may open something. In linear time. */
export function maskSecrets(text: string): string {
  return SECRETS.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text)
}

/**
 * One JSON line per event, to standard error: at most 60 a minute of one event, then, with the next line of any event after that minute,
 * one that says how many were held back. Texts are cut at 2 000 characters, and secrets in them are masked.
 */
export function createLog(now: () => number, write: (line: string) => void = (line) => process.stderr.write(line)): Log {
  let counts = new Map<string, number>()
  let beganAt = Number.NEGATIVE_INFINITY

  function writeLine(event: string, fields: Record<string, unknown>): void {
    write(`${maskSecrets(JSON.stringify({ at: new Date(now()).toISOString(), event, ...fields }, cut))}\n`)
  }

  /** Begins another minute where the last is over, and says what was held back in it. */
  function turn(): void {
    if (Math.abs(now() - beganAt) < MINUTE_MS) return
    const before = counts
    counts = new Map()
    beganAt = now()
    for (const [event, lines] of before)
      if (lines > MAX_LINES_A_MINUTE) writeLine('lines held back', { of: event, lines: lines - MAX_LINES_A_MINUTE })
  }

  return (event, fields = {}) => {
    turn()
    const lines = (counts.get(event) ?? 0) + 1
    counts.set(event, lines)
    if (lines <= MAX_LINES_A_MINUTE || event === NEVER_HELD_BACK) writeLine(event, fields)
  }
}

function cut(_name: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > MAX_FIELD_CHARACTERS ? `${value.slice(0, MAX_FIELD_CHARACTERS)}…` : value
}
