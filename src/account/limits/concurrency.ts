import { Refusal } from '../../errors.ts'

/** How many may be at work and wait. */
export type ConcurrencyBounds = {
  /** At work at once, of one key. */
  ofKey: number
  /** Waiting at once, of one key. */
  waitingOfKey: number
  /** At work at once, of all keys. */
  ofAll: number
}

/** Calls of memory tools. Of all keys, enough at work that their writes share transactions, and few enough that each is soon done. */
export const MEMORY_CALLS: ConcurrencyBounds = { ofKey: 4, waitingOfKey: 64, ofAll: 32 }

/** Calls on their way to other servers, which take no work here but memory: what they take of all keys is bounded by integration. */
export const FORWARDED_CALLS: ConcurrencyBounds = { ofKey: 32, waitingOfKey: 64, ofAll: Number.POSITIVE_INFINITY }

/** Runs acts of many keys, a bounded number at once. */
export type Concurrency = {
  /**
   * Runs an act, at once where there is room, otherwise when it is its key's turn: keys that wait are served in rotation, one act each, and
   * the acts of a key in the order they came. An act whose `signal()` is aborted while it waits gives up its place and is never run.
   * Throws a Refusal when too many acts of the key wait already. `signal` is asked for only to wait.
   */
  run: <T>(key: string, act: () => Promise<T>, signal: () => AbortSignal) => Promise<T>
  /** Acts at work and waiting, of all keys. */
  counts: () => { atWork: number; waiting: number }
}

type Key = { id: string; atWork: number; waiting: (() => void)[] }

/** A semaphore that is fair among keys. An act for which there is room begins at once. */
export function createConcurrency({ ofKey, waitingOfKey, ofAll }: ConcurrencyBounds): Concurrency {
  const keys = new Map<string, Key>()
  /** Keys that have an act waiting and room for it, in the order of their turns; each at most once. */
  const turns = new Set<Key>()
  let atWork = 0

  function keyOf(id: string): Key {
    const known = keys.get(id)
    if (known !== undefined) return known
    const made = { id, atWork: 0, waiting: [] }
    keys.set(id, made)
    return made
  }

  function begin(key: Key): void {
    key.atWork += 1
    atWork += 1
  }

  function end(key: Key): void {
    key.atWork -= 1
    atWork -= 1
    if (key.waiting.length > 0) turns.add(key)
    else forgetIdle(key)
    startNext()
  }

  function startNext(): void {
    for (const key of turns) {
      if (atWork >= ofAll) return
      turns.delete(key)
      const start = key.waiting.shift()
      if (start === undefined) continue
      begin(key)
      if (key.waiting.length > 0 && key.atWork < ofKey) turns.add(key)
      start()
    }
  }

  /** Keys without an act are not kept. */
  function forgetIdle(key: Key): void {
    if (key.waiting.length > 0) return
    turns.delete(key)
    if (key.atWork === 0) keys.delete(key.id)
  }

  function requireRoomToWait(key: Key): void {
    if (key.waiting.length < waitingOfKey) return
    forgetIdle(key)
    throw new Refusal(`too many calls at once; ${ofKey} of this key are at work and ${waitingOfKey} wait: try again when some have ended`)
  }

  /** Resolved when the act may begin. Rejected with a Refusal when `signal` is aborted first. */
  function wait(key: Key, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        key.waiting = key.waiting.filter((other) => other !== start)
        forgetIdle(key)
        reject(new Refusal('the call was cancelled'))
      }
      if (signal.aborted) return leave()
      signal.addEventListener('abort', leave, { once: true })
      key.waiting.push(start)
      if (key.atWork < ofKey) turns.add(key)
    })
  }

  return {
    run: async (id, act, signal) => {
      const key = keyOf(id)
      const isFree = key.atWork < ofKey && key.waiting.length === 0 && atWork < ofAll && turns.size === 0
      if (isFree) begin(key)
      else {
        requireRoomToWait(key)
        await wait(key, signal())
      }
      try {
        return await act()
      } finally {
        end(key)
      }
    },
    counts: () => ({ atWork, waiting: [...keys.values()].reduce((sum, { waiting }) => sum + waiting.length, 0) }),
  }
}
