/** A search engine that is measured. */
export type Engine = {
  name: string
  add: (texts: string[]) => void | Promise<void>
  /** The maintenance that the engine does once a minute, if any. */
  settle?: () => Promise<void>
  /** Returns how many texts it found, of at most ten. */
  search: (query: string) => number | Promise<number>
  /** Bytes of the index beside the texts; undefined where the index is in memory. */
  indexBytes: () => number | undefined
  close: () => void | Promise<void>
}
