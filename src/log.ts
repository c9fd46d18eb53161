import { MINUTE_MS } from './clock.ts'
import { StorageRefusal } from './errors.ts'
import { type Level, LOG_EVENTS, type LogEvent } from './log/events.ts'
import { maskSecrets } from './log/mask-secrets.ts'
import { currentRequestId, outsideRequests } from './log/request.ts'

/** Writes one event. Its fields must not hold contents of records, keys or headers. */
export type Log = (event: LogEvent, fields?: Record<string, unknown>) => void

/** Lines of one event in a minute; further ones are only counted. */
const MAX_LINES_A_MINUTE = 60
/** Keeps about the first dozen frames of a stack trace. */
const MAX_FIELD_CHARACTERS = 2_000
/**
 * Events that are never dropped: the first replaces a line of the audit log that could not be written, and the second
 * is only written if the operator asks for it.
 */
const UNLIMITED_EVENTS: readonly LogEvent[] = ['an audit line was not written', 'request']

const RANKS: Record<Level, number> = { error: 0, warn: 1, info: 2 }

/**
 * Writes one JSON line per event to standard error: time, level, event, the id of the request it belongs to, fields.
 * Events below `level` are left out. At most 60 lines of an event are written in a minute; the number of dropped lines
 * is written before the first line of any event after that minute. Texts are cut at 2 000 characters, and secrets in
 * them are masked.
 */
export function createLog(
  now: () => number,
  write: (line: string) => void = (line) => process.stderr.write(line),
  level: Level = 'info',
): Log {
  let counts = new Map<LogEvent, number>()
  let startedAt = Number.NEGATIVE_INFINITY

  function writeLine(event: LogEvent, fields: Record<string, unknown>): void {
    const lead = {
      at: new Date(now()).toISOString(),
      level: LOG_EVENTS[event],
      event,
      request_id: currentRequestId(),
    }
    write(`${maskSecrets(JSON.stringify({ ...lead, ...fields }, truncate))}\n`)
  }

  /** Starts a new minute if the last one is over, and writes how many lines were dropped in it. */
  function startMinuteIfDue(): void {
    if (Math.abs(now() - startedAt) < MINUTE_MS) return
    const last = counts
    counts = new Map()
    startedAt = now()
    for (const [event, lines] of last)
      if (lines > MAX_LINES_A_MINUTE)
        outsideRequests(() => writeLine('lines held back', { of: event, lines: lines - MAX_LINES_A_MINUTE }))
  }

  // Lines of requests are written if the operator asks for them, whatever the level.
  const isWanted = (event: LogEvent) => event === 'request' || RANKS[LOG_EVENTS[event]] <= RANKS[level]

  return (event, fields = {}) => {
    if (!isWanted(event)) return
    startMinuteIfDue()
    const lines = (counts.get(event) ?? 0) + 1
    counts.set(event, lines)
    if (lines <= MAX_LINES_A_MINUTE || UNLIMITED_EVENTS.includes(event)) writeLine(event, fields)
  }
}

function truncate(_name: string, value: unknown): unknown {
  return typeof value === 'string' && value.length > MAX_FIELD_CHARACTERS
    ? `${value.slice(0, MAX_FIELD_CHARACTERS)}…`
    : value
}

/**
 * Returns a function that reports writes refused by the storage: the first one immediately, further ones once a minute
 * with their number and the error of the last one.
 */
export function createStorageLog(log: Log): (refusal: StorageRefusal) => void {
  let count = 0
  let latest: StorageRefusal | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function write(): void {
    timer = undefined
    if (count === 0) return
    log('the storage refused to write', { acts: count, reason: latest?.reason, error: latest?.detail })
    count = 0
    timer = setTimeout(write, MINUTE_MS)
    timer.unref()
  }

  return (refusal) => {
    count += 1
    latest = refusal
    // One transaction holds writes of many requests, so the line belongs to none of them.
    if (timer === undefined) outsideRequests(write)
  }
}

/** What the log says of a store that is not ready. */
export function toStorageFault(error: unknown): string {
  if (!(error instanceof StorageRefusal)) return String(error)
  return error.reason.endsWith(`(${error.detail})`) ? error.reason : `${error.reason} (${error.detail})`
}
