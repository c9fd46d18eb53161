import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../clock.ts'
import { type Html, html, inContext } from './html.ts'

const MINUTES = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})
const DATE = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })
const RELATIVE = new Intl.RelativeTimeFormat('en-GB')
/** From this age on, the date is shown. */
const MAX_RELATIVE_MS = 30 * DAY_MS
const COUNT = new Intl.NumberFormat('en-GB')
const SIZE_UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** Milliseconds since 1970, or a time in ISO 8601. */
type Time = number | string

const toMilliseconds = (time: Time): number => (typeof time === 'string' ? Date.parse(time) : time)

/**
 * A `time` element relative to now ("3 hours ago"), with the minute in UTC as its title; from 30 days on, the date. For
 * tables and lists. `none` for null.
 */
export function toTime(given: Time | null, none = '–'): Html {
  if (given === null) return html`${none}`
  const time = toMilliseconds(given)
  return inContext(({ now }) => toTimeElement(time, now === undefined ? toMinute(time) : toRelative(time - now, time)))
}

/** A `time` element to the minute in UTC. For sentences and lists of facts. */
export function toExactTime(given: Time): Html {
  const time = toMilliseconds(given)
  return toTimeElement(time, toMinute(time))
}

/** The same for a list of facts: undefined for what has no time. */
export const toFactTime = (time: Time | null): Html | undefined => (time === null ? undefined : toExactTime(time))

function toTimeElement(time: number, text: string): Html {
  const exact = toMinute(time)
  return html`<time datetime="${new Date(time).toISOString()}"${text === exact ? undefined : html` title="${exact}"`}>${text}</time>`
}

/** The date of a time in UTC, for milliseconds since 1970. */
export const toDate = (time: number): string => DATE.format(time)

/** A time to the minute in UTC, for milliseconds since 1970. */
export const toMinute = (time: number): string => `${MINUTES.format(time)} UTC`

function toRelative(differenceMs: number, time: number): string {
  const distance = Math.abs(differenceMs)
  if (distance < MINUTE_MS) return differenceMs > 0 ? 'in a minute' : 'just now'
  if (distance < HOUR_MS) return RELATIVE.format(Math.trunc(differenceMs / MINUTE_MS), 'minute')
  if (distance < DAY_MS) return RELATIVE.format(Math.trunc(differenceMs / HOUR_MS), 'hour')
  if (distance < MAX_RELATIVE_MS) return RELATIVE.format(Math.trunc(differenceMs / DAY_MS), 'day')
  return DATE.format(time)
}

/** Milliseconds as whole days, rounded up and at least 1, so that remaining time is never shown as none. */
export function toDays(durationMs: number): string {
  return countOf(Math.max(1, Math.ceil(durationMs / DAY_MS)), 'day')
}

/** A number and its noun in the singular or plural: `1 day`, `1,200 records`. */
export function countOf(count: number, noun: string): string {
  return `${toCount(count)} ${noun}${count === 1 ? '' : 's'}`
}

/** A number with separators between thousands. */
export function toCount(count: number): string {
  return COUNT.format(count)
}

/** Bytes in the largest unit that is not larger than the size, to one decimal: `1.5 MiB`. */
export function toSize(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(SIZE_UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const number = Math.round((bytes / 1024 ** step) * 10) / 10
  return number === 1 && step === 0 ? '1 byte' : `${COUNT.format(number)} ${SIZE_UNITS[step]}`
}

/** Longer messages contain user input, and are truncated. */
const MAX_SENTENCE_CHARACTERS = 600

/** What arguments of the tools are called in forms. */
const ARGUMENT_LABELS: Record<string, string> = {
  source_id: 'source',
  source_hash: 'source hash',
  fact_key: 'fact key',
  expires_at: 'expiry',
}

/** Names of arguments, except for those in quotes, which somebody typed. */
const ARGUMENT_NAMES = new RegExp(`(?<![\\w'“])(${Object.keys(ARGUMENT_LABELS).join('|')})(?![\\w'”])`, 'g')

/**
 * An error message as a sentence: with a capital letter and a full stop, and with the labels of forms for arguments.
 */
export function toSentence(reason: string): string {
  if (reason.length > MAX_SENTENCE_CHARACTERS)
    return toSentence(`${reason.slice(0, MAX_SENTENCE_CHARACTERS - 1).toWellFormed()}…`)
  const labelled = reason.replace(ARGUMENT_NAMES, (name) => ARGUMENT_LABELS[name] ?? name)
  const text = labelled.charAt(0).toUpperCase() + labelled.slice(1)
  return /[.!?…]$/.test(text) ? text : `${text}.`
}
