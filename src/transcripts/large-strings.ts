import { DATA_HEAD_CHARACTERS, findDataReason, MIN_DATA_CHARACTERS, type OmissionReason, toOmitted } from './omitted.ts'

const QUOTE = 0x22
const BACKSLASH = 0x5c

export type StringFilter = {
  /** Takes the next bytes of the text, which may end anywhere. They are copied. */
  push: (bytes: Uint8Array) => void
  /**
   * The text without its large strings; undefined if the rest exceeds the bound, or was cut off within a large string.
   */
  finish: () => string | undefined
  /** How many bytes have been taken. */
  bytes: () => number
}

/**
 * Removes large strings and base64 files from a JSON text that arrives in pieces: each becomes `{"$omitted":{…}}`, and
 * everything else stays byte for byte. Holds at most `maxStringBytes + maxBytes` in memory, whatever the length of the
 * text; time is linear in it. Examines only quotes and backslashes, which in UTF-8 never occur within a multi-byte
 * character.
 */
export function createStringFilter({
  maxStringBytes,
  maxBytes,
}: {
  maxStringBytes: number
  maxBytes: number
}): StringFilter {
  const kept = createBuffer(({ length }) => (length > maxBytes ? 'too_large' : undefined))
  const findReason = (beginning: Beginning) => findStringReason(beginning, maxStringBytes)
  /** The string in which the bytes so far end. */
  let open: BoundedBuffer | undefined
  /** Whether they end in an odd number of backslashes, so that the next byte is escaped. */
  let isEscaped = false
  let taken = 0

  function push(bytes: Uint8Array): void {
    taken += bytes.length
    const from = open === undefined ? 0 : endOpen(open, bytes)
    if (open === undefined) keepFrom(bytes, from)
  }

  /** The position after the open string; the length of the bytes if it does not end in them. */
  function endOpen(string: BoundedBuffer, bytes: Uint8Array): number {
    const end = findStringEnd(bytes, 0, isEscaped)
    string.add(bytes.subarray(0, end))
    isEscaped = end === bytes.length && endsEscaped(bytes, 0, end, isEscaped)
    if (end === bytes.length) return end
    kept.add(toKept(string))
    open = undefined
    return end + 1
  }

  /** Keeps the bytes, except large strings. */
  function keepFrom(bytes: Uint8Array, from: number): void {
    let unkept = from
    for (let start = bytes.indexOf(QUOTE, from); start >= 0; ) {
      const end = findStringEnd(bytes, start + 1, false)
      const isOpen = end === bytes.length
      if (isOpen || findReason(toBeginning(bytes, start + 1, end)) !== undefined) {
        kept.add(bytes.subarray(unkept, start))
        unkept = Math.min(end + 1, bytes.length)
        const string = createBuffer(findReason)
        string.add(bytes.subarray(start + 1, end))
        if (isOpen) open = string
        else kept.add(toKept(string))
      }
      if (isOpen) isEscaped = endsEscaped(bytes, start + 1, end, false)
      start = isOpen ? -1 : bytes.indexOf(QUOTE, end + 1)
    }
    kept.add(bytes.subarray(unkept))
  }

  function finish(): string | undefined {
    if (open?.reason() !== undefined) return undefined
    // The text was cut off within a string: keeps its beginning.
    if (open !== undefined) kept.add(Buffer.concat([Buffer.of(QUOTE), open.toBuffer()]))
    return kept.reason() === undefined ? kept.toBuffer().toString() : undefined
  }

  return { push, finish, bytes: () => taken }
}

/**
 * The first quote from `from` on that is not escaped; the length of the bytes if there is none. `isEscaped` tells of
 * the first byte.
 */
function findStringEnd(bytes: Uint8Array, from: number, isEscaped: boolean): number {
  for (let at = bytes.indexOf(QUOTE, from); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    if (!endsEscaped(bytes, from, at, isEscaped)) return at
  }
  return bytes.length
}

/** Whether the byte at `end` is escaped by those from `from` on; `isEscaped` tells of the first of these. */
function endsEscaped(bytes: Uint8Array, from: number, end: number, isEscaped: boolean): boolean {
  let before = end
  while (before > from && bytes[before - 1] === BACKSLASH) before -= 1
  const count = end - before
  return before === from && isEscaped ? count % 2 === 0 : count % 2 === 1
}

/** The string with its quotes, or its replacement. */
function toKept(string: BoundedBuffer): Uint8Array {
  const reason = string.reason()
  if (reason !== undefined) return Buffer.from(JSON.stringify(toOmitted(string.length() + 2, reason)))
  return Buffer.concat([Buffer.of(QUOTE), string.toBuffer(), Buffer.of(QUOTE)])
}

function findStringReason({ length, head }: Beginning, maxBytes: number): OmissionReason | undefined {
  const reason = length < MIN_DATA_CHARACTERS ? undefined : findDataReason(head.replaceAll('\\/', '/'))
  return reason ?? (length > maxBytes ? 'too_large' : undefined)
}

/** The length of bytes that may have to be omitted, and their beginning. */
type Beginning = { length: number; head: string }

function toBeginning(bytes: Uint8Array, from: number, to: number): Beginning {
  const length = to - from
  const isLong = length >= MIN_DATA_CHARACTERS
  return {
    length,
    head: isLong ? Buffer.from(bytes.subarray(from, from + DATA_HEAD_CHARACTERS)).toString('latin1') : '',
  }
}

type BoundedBuffer = ReturnType<typeof createBuffer>

/** A buffer that keeps only the beginning of its bytes once there is a reason to omit them. */
function createBuffer(findReason: (beginning: Beginning) => OmissionReason | undefined) {
  let parts: Buffer[] = []
  let length = 0
  let head = ''
  let reason: OmissionReason | undefined

  return {
    add: (part: Uint8Array): void => {
      length += part.length
      if (head.length < DATA_HEAD_CHARACTERS)
        head += Buffer.from(part.subarray(0, DATA_HEAD_CHARACTERS)).toString('latin1')
      reason ??= findReason({ length, head })
      if (reason === undefined) parts.push(Buffer.from(part))
      else parts = []
    },
    length: () => length,
    reason: () => reason,
    toBuffer: () => Buffer.concat(parts),
  }
}
