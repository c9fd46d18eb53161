/** Outcome of a tool call. */
export type CallOutcome = 'ok' | 'refused' | 'notice' | 'unauthorized' | 'failed'

/** What became of a backup. */
export type BackupOutcome = 'done' | 'incomplete' | 'failed'

/**
 * The measurements of the running service. All label values are from bounded sets, never what a client sent; times are
 * in milliseconds.
 */
export type Metrics = {
  /**
   * A call of a tool: the name of a memory tool, `gateway_call`, `integration` for any tool of another server, or
   * `unknown`.
   */
  call: (tool: string, outcome: CallOutcome, milliseconds: number) => void
  /** A refused call, by kind of the reason. */
  refusal: (kind: string) => void
  /** An answered HTTP request. */
  request: (route: string, status: number, milliseconds: number) => void
  /** A committed transaction, with its number of acts. */
  commit: (acts: number, milliseconds: number) => void
  /** A write that the storage refused, by error code. */
  storageError: (code: string) => void
  /** A call to another server, by outcome. */
  upstreamCall: (outcome: string, milliseconds: number) => void
  /** A backup that was tried. */
  backup: (outcome: BackupOutcome) => void
}

/** Measures nothing. */
export const NO_METRICS: Metrics = {
  call: () => {},
  refusal: () => {},
  request: () => {},
  commit: () => {},
  storageError: () => {},
  upstreamCall: () => {},
  backup: () => {},
}
