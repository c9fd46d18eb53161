import type { Form } from './form.ts'
import { textHash } from './hash.ts'

/** Entries of runs in rows of numbers. */
export type Generation = {
  /** An open table, at most half full: a hash and the entry that has it. */
  slots: Int32Array
  fields: Int32Array
  /** The runs themselves, in places of equal size. */
  runs: Uint16Array
  /** Forms: terms, then packed codes. */
  bytes: Buffer
  count: number
  end: number
}

/** Longer runs are rare and would fill the memory with text nobody repeats. */
const LONGEST = 32
/** Most entries of a generation, a power of two, and the bytes of their forms. */
const MOST = 1 << 15
const BYTES = MOST * 32
const MASK = 4 * MOST - 1

/** Numbers of an entry. */
export const FIELDS = 8
export const FIELD = {
  sizeAndRole: 0,
  evidence: 1,
  /** One more than the language of the form, and so 0 where there is none. */
  language: 2,
  form: 3,
  indexed: 4,
  packed: 5,
  length: 6,
  /** The text that last used the form. */
  used: 7,
} as const

export function newGeneration(): Generation {
  return {
    slots: new Int32Array(4 * MOST),
    fields: new Int32Array((MOST + 1) * FIELDS),
    runs: new Uint16Array((MOST + 1) * LONGEST),
    bytes: Buffer.alloc(BYTES),
    count: 0,
    end: 0,
  }
}

export function clear(generation: Generation): Generation {
  generation.slots.fill(0)
  return Object.assign(generation, { count: 0, end: 0 })
}

/** Whether a text of ordinary size might find no room. */
export function isCrowded({ count, end }: Generation): boolean {
  return count > MOST * 0.9 || end > BYTES * 0.9
}

/** The entry of a run; 0 where there is none. */
export function look({ slots, fields, runs }: Generation, text: string, start: number, end: number, role: number): number {
  const size = end - start
  if (size > LONGEST) return 0
  const sizeAndRole = size * 8 + role
  const hash = textHash(text, start, end) | 0
  for (let slot = (hash << 1) & MASK, entry = slots[slot + 1] ?? 0; entry !== 0; slot = (slot + 2) & MASK, entry = slots[slot + 1] ?? 0) {
    if (slots[slot] !== hash || fields[entry * FIELDS] !== sizeAndRole) continue
    if (isSame(runs, entry * LONGEST, text, start, size)) return entry
  }
  return 0
}

/** The very same characters: a hash alone could be aimed at. */
function isSame(runs: Uint16Array, place: number, text: string, start: number, size: number): boolean {
  for (let at = 0; at < size; at++) if (runs[place + at] !== text.charCodeAt(start + at)) return false
  return true
}

/** Makes an entry of a run; 0 where it is too long, or there is no room. */
export function put(to: Generation, text: string, start: number, end: number, role: number, evidence: number): number {
  const size = end - start
  if (size > LONGEST || to.count === MOST) return 0
  const entry = takeEntry(to, textHash(text, start, end) | 0)
  const at = entry * FIELDS
  to.fields[at + FIELD.sizeAndRole] = size * 8 + role
  to.fields[at + FIELD.evidence] = evidence
  to.fields[at + FIELD.language] = 0
  for (let nth = 0; nth < size; nth++) to.runs[entry * LONGEST + nth] = text.charCodeAt(start + nth)
  return entry
}

function takeEntry(to: Generation, hash: number): number {
  let slot = (hash << 1) & MASK
  while (to.slots[slot + 1] !== 0) slot = (slot + 2) & MASK
  to.count += 1
  to.slots[slot] = hash
  to.slots[slot + 1] = to.count
  return to.count
}

/** Takes an entry over with its form. Answers the new entry; 0 where there is no room. */
export function carry(from: Generation, entry: number, to: Generation, text: string, start: number, end: number, role: number): number {
  const at = entry * FIELDS
  const carried = put(to, text, start, end, role, from.fields[at + FIELD.evidence] ?? 0)
  const form = from.fields[at + FIELD.form] ?? 0
  const size = (from.fields[at + FIELD.indexed] ?? 0) + (from.fields[at + FIELD.packed] ?? 0)
  if (carried === 0 || from.fields[at + FIELD.language] === 0 || to.end + size > BYTES) return carried
  for (let field = FIELD.language; field <= FIELD.length; field++) to.fields[carried * FIELDS + field] = from.fields[at + field] ?? 0
  to.fields[carried * FIELDS + FIELD.form] = to.end
  for (let nth = 0; nth < size; nth++) to.bytes[to.end++] = from.bytes[form + nth] ?? 0
  return carried
}

/** Keeps a form of an entry in the place of any other. False where there is no room. */
export function putForm(to: Generation, entry: number, language: number, { indexed, packed, length }: Form): boolean {
  const size = Buffer.byteLength(indexed)
  if (to.end + size + packed.length > BYTES) return false
  const at = entry * FIELDS
  to.fields[at + FIELD.language] = language + 1
  to.fields[at + FIELD.form] = to.end
  to.fields[at + FIELD.indexed] = size
  to.fields[at + FIELD.packed] = packed.length
  to.fields[at + FIELD.length] = length
  to.end += to.bytes.write(indexed, to.end)
  to.bytes.set(packed, to.end)
  to.end += packed.length
  return true
}
