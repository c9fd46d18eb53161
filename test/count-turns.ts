/** Counts the turns of the event loop until it is stopped: whoever else waits is served once in each. */
export function countTurns(): () => number {
  let turns = 0
  let isStopped = false
  const count = () => {
    turns += 1
    if (!isStopped) setImmediate(count)
  }
  setImmediate(count)
  return () => {
    isStopped = true
    return turns
  }
}
