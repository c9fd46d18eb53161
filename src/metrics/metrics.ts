/** What became of a call of a tool. */
export type CallOutcome = 'ok' | 'refused' | 'notice' | 'unauthorized' | 'failed'

/** What is counted and timed while the service works. All values are bounded sets, never what somebody sent; times are in milliseconds. */
export type Metrics = {
  /** A call of a tool: the name of a memory tool, `gateway_call`, `integration` for any tool of another server, or `unknown`. */
  call: (tool: string, outcome: CallOutcome, milliseconds: number) => void
  /** A call that was refused, by the kind of the reason. */
  refusal: (kind: string) => void
  /** An answered HTTP request. */
  request: (route: string, status: number, milliseconds: number) => void
  /** A transaction that was committed, with how many acts. */
  commit: (acts: number, milliseconds: number) => void
  /** An act that the storage refused, by the code of the system. */
  storageError: (code: string) => void
  /** A call to another server, by what became of it. */
  upstreamCall: (outcome: string, milliseconds: number) => void
}

/** Measures nothing. */
export const NO_METRICS: Metrics = {
  call: () => {},
  refusal: () => {},
  request: () => {},
  commit: () => {},
  storageError: () => {},
  upstreamCall: () => {},
}
