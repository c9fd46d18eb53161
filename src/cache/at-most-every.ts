/**
 * Caches the value of `read` for a time. Concurrent and later calls within that time share it, also while it is being
 * read. A failed read rejects for those who wait for it and is not cached. Holds one value; only time invalidates it.
 */
export function atMostEvery<Value>(
  milliseconds: number,
  ticks: () => number,
  read: () => Promise<Value>,
): () => Promise<Value> {
  let last: { at: number; value: Promise<Value> } | undefined
  return () => {
    if (last !== undefined && ticks() - last.at < milliseconds) return last.value
    const made = { at: ticks(), value: read() }
    last = made
    made.value.catch(() => {
      if (last === made) last = undefined
    })
    return made.value
  }
}
