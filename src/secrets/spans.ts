/** A secret in a text: which kind it is, and where it stands, in UTF-16 units. */
export type Span = { kind: string; start: number; end: number }

/** The text with something else in place of each span. Spans are in their order and do not overlap. */
export function replaceSpans<One extends { start: number; end: number }>(
  text: string,
  spans: One[],
  toReplacement: (span: One) => string,
): string {
  const parts: string[] = []
  let at = 0
  for (const span of spans) {
    parts.push(text.slice(at, span.start), toReplacement(span))
    at = span.end
  }
  return parts.join('') + text.slice(at)
}
