import { OutboundError } from '../errors.ts'

/** How many have a place at once, and how many wait for one: in all, and of one owner. */
export type PlaceBounds = { ofAll: number; ofOwner: number; waiting: number; waitingOfOwner: number }

/** Room for a bounded number of things at once. Whoever finds none waits, as long as not too many do. */
export type Places = {
  /**
   * Resolved with the function that gives the place back. Rejected with the signal's reason when it is aborted first, with OutboundError (`busy`)
   * when too many wait: who waits keeps a connection open, which takes memory, too.
   */
  take: (owner: string, signal: AbortSignal) => Promise<() => void>
}

type Waiting = { owner: string; begin: () => void }

/** First come, first served, except that an owner who has all that one may have is passed over. */
export function createPlaces(bounds: PlaceBounds): Places {
  const taken = new Map<string, number>()
  let waiting: Waiting[] = []
  let count = 0

  const hasRoom = (owner: string) => count < bounds.ofAll && (taken.get(owner) ?? 0) < bounds.ofOwner

  function mayWait(owner: string): boolean {
    return waiting.length < bounds.waiting && waiting.filter((other) => other.owner === owner).length < bounds.waitingOfOwner
  }

  function begin(owner: string): () => void {
    count += 1
    taken.set(owner, (taken.get(owner) ?? 0) + 1)
    let isHeld = true
    return () => {
      if (isHeld) end(owner)
      isHeld = false
    }
  }

  function end(owner: string): void {
    count -= 1
    const left = (taken.get(owner) ?? 1) - 1
    if (left === 0) taken.delete(owner)
    else taken.set(owner, left)
    const next = waiting.find((other) => hasRoom(other.owner))
    if (next === undefined) return
    waiting = waiting.filter((other) => other !== next)
    next.begin()
  }

  return {
    take: (owner, signal) => {
      if (signal.aborted) return Promise.reject(signal.reason)
      if (hasRoom(owner)) return Promise.resolve(begin(owner))
      if (!mayWait(owner)) return Promise.reject(new OutboundError('busy'))
      return new Promise((resolve, reject) => {
        const entry = {
          owner,
          begin: () => {
            signal.removeEventListener('abort', leave)
            resolve(begin(owner))
          },
        }
        const leave = () => {
          waiting = waiting.filter((other) => other !== entry)
          reject(signal.reason)
        }
        signal.addEventListener('abort', leave, { once: true })
        waiting.push(entry)
      })
    },
  }
}
