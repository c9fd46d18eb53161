/** What is measured: something that keeps texts and finds them. */
export type Engine = {
  name: string
  add: (texts: string[]) => void | Promise<void>
  /** What the engine does for itself once a minute, where it does anything. */
  settle?: () => Promise<void>
  /** How many it found, of at most ten. */
  search: (query: string) => number | Promise<number>
  /** What it keeps for search beside the texts, in bytes; undefined where it keeps it in memory. */
  indexBytes: () => number | undefined
  close: () => void | Promise<void>
}
