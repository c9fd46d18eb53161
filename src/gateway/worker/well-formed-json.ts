/** Escapes of JSON; the group is a surrogate, which `JSON.stringify` escapes only where it has no partner. */
const ESCAPES = /\\(?:u(d[89a-f]..)|.)/g

/**
 * The JSON of a value, with U+FFFD for each surrogate without a partner. Programs that cut texts leave such halves, and
 * many clients cannot read a message that contains one.
 */
export function toWellFormedJson(value: unknown): string {
  const json = JSON.stringify(value)
  if (!json.includes('\\ud')) return json
  return json.replace(ESCAPES, (escaped, half?: string) => (half === undefined ? escaped : '\\ufffd'))
}
