const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE, LINE_FEED, RETURN] = Buffer.from('"\\,[{\n\r')

/**
 * Counts the values of JSON as its bytes come, a little too high: openings and commas outside of strings, and ends of lines, which also are what
 * a stream of events is made of. No string has an end of line in it, so what stands on one line changes nothing of the count on the next.
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

/** The same of a whole text. */
export function countJsonValues(text: string): number {
  return createValueCounter()(Buffer.from(text))
}
