import { OutboundError } from '../../errors.ts'

/** Maximum numbers of held permits and of waiting requests: in total, and per owner. */
export type SemaphoreBounds = { maxHeld: number; maxHeldOfOwner: number; maxWaiting: number; maxWaitingOfOwner: number }

/** A counting semaphore whose permits and queue are bounded per owner. */
export type Semaphore = {
  /**
   * Resolves with the function that returns the permit; calling that again does nothing. Rejects with the signal's reason when it is aborted
   * first, and with OutboundError (`busy`) when too many wait: each that waits holds a connection open, which takes memory.
   */
  acquire: (owner: string, signal: AbortSignal) => Promise<() => void>
}

type Waiting = { owner: string; start: () => void }

/** First come, first served, except that an owner who holds the maximum number of permits is skipped. */
export function createSemaphore(bounds: SemaphoreBounds): Semaphore {
  const heldBy = new Map<string, number>()
  let queue: Waiting[] = []
  let held = 0

  const isFree = (owner: string) => held < bounds.maxHeld && (heldBy.get(owner) ?? 0) < bounds.maxHeldOfOwner

  function mayWait(owner: string): boolean {
    return queue.length < bounds.maxWaiting && queue.filter((other) => other.owner === owner).length < bounds.maxWaitingOfOwner
  }

  function hold(owner: string): () => void {
    held += 1
    heldBy.set(owner, (heldBy.get(owner) ?? 0) + 1)
    let isHeld = true
    return () => {
      if (isHeld) release(owner)
      isHeld = false
    }
  }

  function release(owner: string): void {
    held -= 1
    const left = (heldBy.get(owner) ?? 1) - 1
    if (left === 0) heldBy.delete(owner)
    else heldBy.set(owner, left)
    const next = queue.find((other) => isFree(other.owner))
    if (next === undefined) return
    queue = queue.filter((other) => other !== next)
    next.start()
  }

  function enqueue(owner: string, signal: AbortSignal): Promise<() => void> {
    return new Promise((resolve, reject) => {
      const entry = {
        owner,
        start: () => {
          signal.removeEventListener('abort', leave)
          resolve(hold(owner))
        },
      }
      const leave = () => {
        queue = queue.filter((other) => other !== entry)
        reject(signal.reason)
      }
      signal.addEventListener('abort', leave, { once: true })
      queue.push(entry)
    })
  }

  return {
    acquire: async (owner, signal) => {
      if (signal.aborted) throw signal.reason
      if (isFree(owner)) return hold(owner)
      if (!mayWait(owner)) throw new OutboundError('busy')
      return enqueue(owner, signal)
    },
  }
}
