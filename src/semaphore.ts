/**
 * Maximum numbers of acts that run and wait at the same time; those of waiting ones are infinite if they are left out.
 */
export type SemaphoreBounds = {
  /** Running, of one key and of all keys. */
  ofKey: number
  ofAll: number
  /** Waiting, of one key and of all keys. */
  waitingOfKey?: number
  waitingOfAll?: number
  /** What the acts of one key that wait hold in memory. */
  waitingBytesOfKey?: number
  /**
   * The error for an act that there is no room to wait for: because of the number of acts that wait, or else of their
   * bytes.
   */
  toFull?: (isNumber: boolean) => Error
  /** The error for an act that is aborted while it waits. */
  toAborted?: (signal: AbortSignal) => Error
}

/**
 * A semaphore that is fair among keys: those that wait are served in rotation, one act each, and the acts of a key in
 * order of arrival.
 */
export type Semaphore = {
  /**
   * Runs an act, at once if there is room. `bytes` is what it holds in memory while it waits. `signal` is called only
   * for an act that has to wait; if it is aborted meanwhile, the act never runs.
   *
   * @throws the errors of the bounds.
   */
  run: <Result>(key: string, bytes: number, act: () => Promise<Result>, signal?: () => AbortSignal) => Promise<Result>
  /** Resolves, when it is the key's turn, with the function that ends the act. @throws as `run`. */
  acquire: (key: string, signal: AbortSignal) => Promise<() => void>
  /** Acts of all keys. */
  counts: () => { atWork: number; waiting: number }
}

type Waiting = { start: () => void; bytes: number }

type Key = { id: string; atWork: number; waiting: Waiting[] }

export function createSemaphore(bounds: SemaphoreBounds): Semaphore {
  const { ofKey, ofAll } = bounds
  const { waitingOfKey = Infinity, waitingOfAll = Infinity, waitingBytesOfKey = Infinity } = bounds
  const { toFull = () => new Error('too many wait'), toAborted = ({ reason }: AbortSignal) => reason } = bounds
  const keys = new Map<string, Key>()
  /** Keys with a waiting act and room for it, in the order of their turns. */
  const turns = new Set<Key>()
  let atWork = 0
  let waiting = 0

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
      waiting -= 1
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
    const isFull = key.waiting.length >= waitingOfKey || waiting >= waitingOfAll
    if (!isFull && waitingBytes + bytes <= waitingBytesOfKey) return
    forgetIdle(key)
    throw toFull(isFull)
  }

  function wait(key: Key, bytes: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        const left = key.waiting.filter((other) => other.start !== start)
        waiting -= key.waiting.length - left.length
        key.waiting = left
        forgetIdle(key)
        if (signal !== undefined) reject(toAborted(signal))
      }
      if (signal?.aborted) return leave()
      signal?.addEventListener('abort', leave, { once: true })
      key.waiting.push({ start, bytes })
      waiting += 1
      if (key.atWork < ofKey) turns.add(key)
    })
  }

  /** Begins an act of a key if there is room for it now; otherwise returns a promise of its turn. */
  function enter(key: Key, bytes: number, signal: (() => AbortSignal) | undefined): Promise<void> | undefined {
    const isFree = key.atWork < ofKey && key.waiting.length === 0 && atWork < ofAll && turns.size === 0
    if (isFree) return void begin(key)
    requireRoomToWait(key, bytes)
    return wait(key, bytes, signal?.())
  }

  return {
    run: async (id, bytes, act, signal) => {
      const key = keyOf(id)
      const turn = enter(key, bytes, signal)
      if (turn !== undefined) await turn
      try {
        return await act()
      } finally {
        end(key)
      }
    },
    acquire: async (id, signal) => {
      if (signal.aborted) throw toAborted(signal)
      const key = keyOf(id)
      await enter(key, 0, () => signal)
      return () => end(key)
    },
    counts: () => ({ atWork, waiting }),
  }
}

/**
 * Runs at most `maxRunning` works at a time, the others in order of arrival, which bounds the memory that they hold.
 */
export function createGate(maxRunning: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const { run } = createSemaphore({ ofKey: maxRunning, ofAll: maxRunning })
  return (work) => run('', 0, work)
}
