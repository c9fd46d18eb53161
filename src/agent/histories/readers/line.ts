import type { Assistant } from '../../../transcripts/format.ts'
import { createLongLine, MAX_PARSED_BYTES, reduceLine } from '../../../transcripts/reduce.ts'

const LINE_FEED = 0x0a

/** The bytes in parts, each of which ends with a line feed, but for the last one. */
export function* splitAfterLineFeeds(bytes: Uint8Array): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, from)
    const next = end < 0 ? bytes.length : end + 1
    yield bytes.subarray(from, next)
    from = next
  }
}

export function isLineEnd(part: Uint8Array): boolean {
  return part.at(-1) === LINE_FEED
}

/** A line of a file as it arrives in parts. Holds `MAX_PARSED_BYTES` of it; of a longer one, what is to be kept. */
export function createLine(assistant: Assistant) {
  let parts: Uint8Array[] = []
  let untaken: Uint8Array[] = []
  let length = 0
  let long: ReturnType<typeof createLongLine> | undefined

  return {
    /** The last part ends with the line feed. */
    add: (part: Uint8Array): void => {
      length += part.length
      untaken.push(part)
      parts.push(part)
      if (long === undefined && length > MAX_PARSED_BYTES) long = createLongLine(assistant)
      if (long === undefined) return
      for (const held of parts) long.push(held)
      parts = []
    },
    length: () => length,
    isLong: () => long !== undefined,
    /** The bytes that were added since this was last called. */
    take: (): Uint8Array[] => {
      const taken = untaken
      untaken = []
      return taken
    },
    /** The line without white space around it, reduced. */
    toText: (): string => (long === undefined ? reduceLine(assistant, Buffer.concat(parts).toString().trim()) : long.finish().trim()),
  }
}
