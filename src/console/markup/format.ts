import { DAY_MS } from '../../clock.ts'
import { type Html, html } from './html.ts'

const MINUTES = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})
const COUNT = new Intl.NumberFormat('en-GB')
const SIZE_UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB']

/** A `time` element to the minute in UTC, for milliseconds since 1970; a dash for null. */
export function toTime(time: number | null): Html {
  if (time === null) return html`–`
  return html`<time datetime="${new Date(time).toISOString()}">${MINUTES.format(time)} UTC</time>`
}

/** Milliseconds as whole days, rounded up and at least 1: time that is left is never shown as none. */
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
  return `${COUNT.format(number)} ${SIZE_UNITS[step]}`
}
