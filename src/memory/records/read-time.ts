import { Refusal } from '../../errors.ts'

const FORM = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/

/** Milliseconds since 1970 of an ISO 8601 date or time with its zone. Throws a Refusal that names the argument. */
export function readTime(name: string, text: string): number {
  const time = FORM.test(text) ? Date.parse(text) : Number.NaN
  const day = text.slice(0, 10)
  const exists = !Number.isNaN(time) && new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
  if (!exists) throw new Refusal(`${name} must be an ISO 8601 date or time, such as 2027-01-31 or 2027-01-31T12:00:00Z`)
  return time
}
