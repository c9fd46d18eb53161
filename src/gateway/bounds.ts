/** The largest answer of an upstream, in bytes, whatever an integration allows. */
export const MAX_ANSWER_BYTES = 16 * 1024 * 1024

/** The most values of JSON, or lines of a stream of events, in one answer: objects take many times the memory of the text they are made from. */
export const MAX_ANSWER_VALUES = 250_000

/** The largest event of the older transport, whose answers come on one stream that cannot be kept waiting. */
export const MAX_EVENT_BYTES = 1024 * 1024
