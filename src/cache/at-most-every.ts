/**
 * The value that `read` gave last, read anew once that is so old; calls meanwhile share it, also while it is being read. A read that failed is told to those who
 * waited for it and not kept. Holds one value; nothing but time makes it invalid.
 */
export function atMostEvery<Value>(milliseconds: number, ticks: () => number, read: () => Promise<Value>): () => Promise<Value> {
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
