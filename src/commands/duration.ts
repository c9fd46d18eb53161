import { Refusal } from '../errors.ts'

const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Milliseconds of a time span: a whole number and `m`, `h` or `d`, or `0`. Throws a Refusal that names the option. */
export function readDuration(name: string, text: string): number {
  if (text === '0') return 0
  const [, number = '', unit = ''] = /^(\d{1,6})([mhd])$/.exec(text) ?? []
  const factor = UNITS[unit]
  if (factor === undefined) throw new Refusal(`${name} must be a time span such as 30m, 24h or 7d, not '${text}'`)
  return Number(number) * factor
}
