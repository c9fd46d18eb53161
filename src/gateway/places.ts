import type { OutboundError } from '../errors.ts'

/** Room for a bounded number of things at once, in all and of one owner. Whoever finds none waits. */
export type Places = {
  /** Resolved with the function that gives the place back. Rejected with the signal's reason when it is aborted first. */
  take: (owner: string, signal: AbortSignal) => Promise<() => void>
}

type Waiting = { owner: string; begin: () => void }

/** First come, first served, except that an owner who has all that one may have is passed over. */
export function createPlaces({ ofAll, ofOwner }: { ofAll: number; ofOwner: number }): Places {
  const taken = new Map<string, number>()
  let waiting: Waiting[] = []
  let count = 0

  const hasRoom = (owner: string) => count < ofAll && (taken.get(owner) ?? 0) < ofOwner

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
      if (signal.aborted) return Promise.reject(signal.reason as OutboundError)
      if (hasRoom(owner)) return Promise.resolve(begin(owner))
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
