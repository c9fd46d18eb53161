import { CountedRefusal, Refusal } from '../../errors.ts'

/** Maximum numbers of acts that run and wait concurrently. */
export type ConcurrencyBounds = {
  /** Running, of one key. */
  ofKey: number
  /** Waiting, of one key. */
  waitingOfKey: number
  /** What the acts of one key that wait hold in memory. */
  waitingBytesOfKey: number
  /** Running, of all keys. */
  ofAll: number
}

/** A client that sends a few hundred calls at once gets an answer to each; 256 small ones or 16 MiB fit. */
const WAITING_CALLS = { waitingOfKey: 256, waitingBytesOfKey: 16 * 2 ** 20 }

/** Bounds for memory tools: enough run concurrently to share transactions, and few enough that each is soon done. */
export const MEMORY_CALLS: ConcurrencyBounds = { ofKey: 16, ...WAITING_CALLS, ofAll: 32 }

/** Bounds for calls forwarded to other servers, which take memory here but little CPU. Each integration has its own bound over all keys. */
export const FORWARDED_CALLS: ConcurrencyBounds = { ofKey: 32, ...WAITING_CALLS, ofAll: Number.POSITIVE_INFINITY }

/** Runs acts of many keys, a bounded number of them concurrently. */
export type Concurrency = {
  /**
   * Runs an act: immediately if there is room, otherwise when it is its key's turn. Waiting keys are served round-robin, one act each, and the acts of a key
   * in order of arrival. `signal` is called only for an act that has to wait; if it is aborted meanwhile, the act never runs. `bytes` is what the act holds
   * in memory while it waits.
   *
   * @throws Refusal if too many acts of the key wait already, or too many bytes, and for an act that is aborted while it waits.
   */
  run: <T>(key: string, bytes: number, act: () => Promise<T>, signal: () => AbortSignal) => Promise<T>
  /** Acts of all keys. */
  counts: () => { atWork: number; waiting: number }
}

type Waiting = { start: () => void; bytes: number }

type Key = { id: string; atWork: number; waiting: Waiting[] }

/** A semaphore that is fair among keys. */
export function createConcurrency({ ofKey, waitingOfKey, waitingBytesOfKey, ofAll }: ConcurrencyBounds): Concurrency {
  const keys = new Map<string, Key>()
  /** Keys with a waiting act and room for it, in the order of their turns. */
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
      const next = key.waiting.shift()
      if (next === undefined) continue
      begin(key)
      if (key.waiting.length > 0 && key.atWork < ofKey) turns.add(key)
      next.start()
    }
  }

  /** Drops a key without acts. */
  function forgetIdle(key: Key): void {
    if (key.waiting.length > 0) return
    turns.delete(key)
    if (key.atWork === 0) keys.delete(key.id)
  }

  function requireRoomToWait(key: Key, bytes: number): void {
    const waitingBytes = key.waiting.reduce((sum, act) => sum + act.bytes, 0)
    const isFull = key.waiting.length >= waitingOfKey
    if (!isFull && waitingBytes + bytes <= waitingBytesOfKey) return
    forgetIdle(key)
    const waits = isFull ? `${waitingOfKey} wait` : `${waitingBytesOfKey / 2 ** 20} MiB of them wait`
    throw new CountedRefusal(
      'concurrency',
      `too many calls at once; ${ofKey} of this key are at work and ${waits}: try again when some have ended`,
    )
  }

  /** Resolved when the act may begin. Rejected with a Refusal when `signal` is aborted first. */
  function wait(key: Key, bytes: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        key.waiting = key.waiting.filter((other) => other.start !== start)
        forgetIdle(key)
        reject(new Refusal('the call was cancelled'))
      }
      if (signal.aborted) return leave()
      signal.addEventListener('abort', leave, { once: true })
      key.waiting.push({ start, bytes })
      if (key.atWork < ofKey) turns.add(key)
    })
  }

  return {
    run: async (id, bytes, act, signal) => {
      const key = keyOf(id)
      const isFree = key.atWork < ofKey && key.waiting.length === 0 && atWork < ofAll && turns.size === 0
      if (isFree) begin(key)
      else {
        requireRoomToWait(key, bytes)
        await wait(key, bytes, signal())
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
