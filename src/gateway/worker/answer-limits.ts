/** Maximum size of an upstream's answer in bytes, whatever an integration allows. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024

/**
 * Maximum number of JSON values, or lines of an event stream, in one answer: parsed objects take many times the memory
 * of their text.
 */
export const MAX_ANSWER_VALUES = 250_000

/**
 * Maximum size of an event of the older SSE transport, whose answers share one stream that cannot be paused for one of
 * them.
 */
export const MAX_EVENT_BYTES = 1024 * 1024

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE, LINE_FEED, RETURN] = Buffer.from('"\\,[{\n\r')

/**
 * Counts JSON values in bytes as they arrive: each call takes the next chunk and returns the count so far. Counts
 * opening brackets and commas outside of strings, and line breaks, which separate the fields of an event stream; the
 * result may be slightly too high, never too low. A line break ends any open string, since JSON strings cannot contain
 * one, so text on one line of a stream does not affect the next.
 */
export function createValueCounter(): (chunk: Uint8Array) => number {
  let isString = false
  let isEscaped = false
  let count = 0
  return (chunk) => {
    for (const byte of chunk) {
      if (byte === LINE_FEED || byte === RETURN) {
        isString = false
        isEscaped = false
        count += 1
      } else if (isEscaped) isEscaped = false
      else if (byte === QUOTE) isString = !isString
      else if (isString) isEscaped = byte === BACKSLASH
      else if (byte === COMMA || byte === BRACKET || byte === BRACE) count += 1
    }
    return count
  }
}

/** Counts the JSON values of a complete text. */
export function countJsonValues(text: string): number {
  return createValueCounter()(Buffer.from(text))
}
