/** What is told of a request by its span: ids and names of ours and numbers, nothing that was sent. */
export type SpanAttributes = Record<string, string | number>

/** The span of one request. */
export type RequestSpan = { end: (name: string, attributes: SpanAttributes, isFault: boolean) => void }

/** Where spans go. */
export type Tracing = {
  /** Begins a span; `traceparent` is the header of that name (W3C Trace Context), by which it continues the trace of its caller. */
  begin: (traceparent: string | null) => RequestSpan
  /** Sends what waits, for at most two seconds. */
  close: () => Promise<void>
}
