/** Attributes of a request's span: ids and names of this service and numbers, nothing that the client sent. */
type SpanAttributes = Record<string, string | number>

/** The span of one request. */
export type RequestSpan = { end: (name: string, attributes: SpanAttributes, isFault: boolean) => void }

/** Where spans go. */
export type Tracing = {
  /**
   * Begins a span; `traceparent` is the header of that name (W3C Trace Context), which links it to the caller's trace.
   */
  begin: (traceparent: string | null) => RequestSpan
  /** Sends pending spans, for at most two seconds. */
  close: () => Promise<void>
}
