import { type Html, html } from './html.ts'

const MINUTES = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'UTC',
})
const DAY_MS = 24 * 60 * 60 * 1000

/** A time to the minute, in UTC; a dash where there is none. */
export function toTime(time: number | null): Html {
  if (time === null) return html`–`
  return html`<time datetime="${new Date(time).toISOString()}">${MINUTES.format(time)} UTC</time>`
}

/** A span in days, rounded up: what is left of something is never shown as nothing. */
export function toDays(span: number): string {
  const days = Math.max(1, Math.ceil(span / DAY_MS))
  return days === 1 ? '1 day' : `${days} days`
}
