import { DATA_HEAD_CHARACTERS, findDataReason, MIN_DATA_CHARACTERS, type OmissionReason, toOmitted } from './omitted.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

export type StringFilter = {
  /** Takes the next bytes of the text, which may end anywhere. They are copied. */
  push: (bytes: Uint8Array) => void
  /** The text without its large strings; undefined where what is left is longer than the bound, or was cut off within a large string. */
  finish: () => string | undefined
  /** How many bytes have been taken. */
  bytes: () => number
}

/**
 * Leaves large strings and files in base64 out of a JSON text that arrives in pieces: each becomes `{"$omitted":{…}}`, and all else stays byte for byte. Holds at most
 * `maxStringBytes + maxBytes`, however long the text is; takes time in proportion to it. Looks at quotes and backslashes only, which in UTF-8 never occur within a character of
 * several bytes.
 */
export function createStringFilter({ maxStringBytes, maxBytes }: { maxStringBytes: number; maxBytes: number }): StringFilter {
  const kept = createBuffer(({ length }) => (length > maxBytes ? 'too_large' : undefined))
  const createString = () => createBuffer((string) => findStringReason(string, maxStringBytes))
  let string = createString()
  let isInString = false
  /** Whether the bytes so far end in an odd number of backslashes, so that the next byte is escaped. */
  let isEscaped = false
  let taken = 0

  function push(bytes: Uint8Array): void {
    taken += bytes.length
    for (let at = 0; at < bytes.length; ) {
      const quote = isInString ? findStringEnd(bytes, at) : bytes.indexOf(QUOTE, at)
      const end = quote < 0 ? bytes.length : quote
      const part = bytes.subarray(at, end)
      if (isInString) string.add(part)
      else kept.add(part)
      isEscaped = isInString && quote < 0 && endsEscaped(part, isEscaped)
      if (quote >= 0) turn()
      at = end + 1
    }
  }

  /** The quote from `from` on that is not escaped; -1 for none. */
  function findStringEnd(bytes: Uint8Array, from: number): number {
    for (let at = bytes.indexOf(QUOTE, from); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
      if (!endsEscaped(bytes.subarray(from, at), isEscaped)) return at
    }
    return -1
  }

  /** At a quote: a string begins or ends. */
  function turn(): void {
    if (isInString) {
      kept.add(toKept(string))
      string = createString()
    }
    isInString = !isInString
    isEscaped = false
  }

  function finish(): string | undefined {
    if (isInString && string.reason() !== undefined) return undefined
    // Of a text that was cut off within a string, what there is of that.
    if (isInString) kept.add(Buffer.concat([Buffer.of(QUOTE), string.toBuffer()]))
    return kept.reason() === undefined ? kept.toBuffer().toString() : undefined
  }

  return { push, finish, bytes: () => taken }
}

/** Whether the byte after the part is escaped; `isEscaped` tells of the byte that the part begins with. */
function endsEscaped(part: Uint8Array, isEscaped: boolean): boolean {
  let before = part.length
  while (before > 0 && part[before - 1] === BACKSLASH) before -= 1
  const count = part.length - before
  return before === 0 && isEscaped ? count % 2 === 0 : count % 2 === 1
}

/** The string with its quotes, or what stands in its place. */
function toKept(string: BoundedBuffer): Uint8Array {
  const reason = string.reason()
  if (reason !== undefined) return Buffer.from(JSON.stringify(toOmitted(string.length() + 2, reason)))
  return Buffer.concat([Buffer.of(QUOTE), string.toBuffer(), Buffer.of(QUOTE)])
}

function findStringReason({ length, head }: Beginning, maxBytes: number): OmissionReason | undefined {
  const reason = length < MIN_DATA_CHARACTERS ? undefined : findDataReason(head.replaceAll('\\/', '/'))
  return reason ?? (length > maxBytes ? 'too_large' : undefined)
}

/** What is known of bytes that may not be kept: how many they are, and the first of them. */
type Beginning = { length: number; head: string }

type BoundedBuffer = ReturnType<typeof createBuffer>

/** Bytes, of which only the beginning is kept once there is a reason to. */
function createBuffer(findReason: (beginning: Beginning) => OmissionReason | undefined) {
  let parts: Buffer[] = []
  let length = 0
  let head = ''
  let reason: OmissionReason | undefined

  return {
    add: (part: Uint8Array): void => {
      length += part.length
      if (head.length < DATA_HEAD_CHARACTERS) head += Buffer.from(part.subarray(0, DATA_HEAD_CHARACTERS)).toString('latin1')
      reason ??= findReason({ length, head })
      if (reason === undefined) parts.push(Buffer.from(part))
      else parts = []
    },
    length: () => length,
    reason: () => reason,
    toBuffer: () => Buffer.concat(parts),
  }
}
