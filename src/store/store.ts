/** The one place that keeps data. Filled by the engine under `sqlite/`. */
export type Store = {
  close: () => Promise<void>
}
