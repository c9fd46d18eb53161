import { OutboundError } from '../../outbound/outbound-error.ts'
import { createSemaphore, type Semaphore } from '../../semaphore.ts'

/**
 * Requests in progress, and large results until they have been read. Each request holds its share of the memory for
 * answers.
 */
type OpenRequests = {
  /** `signal` is aborted when the request is released, and if a large answer takes too long to arrive. */
  open: (id: number, accountId: string) => { signal: AbortSignal; reservation: Reservation }
  isOpen: (id: number) => boolean
  /**
   * Keeps the text of a large result for `pull`. Returns false, and keeps nothing, for a small one and for a request
   * that was released.
   */
  keep: (id: number, text: string) => boolean
  /** The next chunk of a kept text without its closing brace, in UTF-8; undefined after the last one. */
  pull: (id: number) => Uint8Array<ArrayBuffer> | undefined
  /** Cancels a request in progress and frees what it holds. */
  release: (id: number) => void
}

type OpenRequest = {
  controller: AbortController
  reservation: Reservation
  /** The part of a kept text that has not been pulled yet. */
  unread: string
  arrivalTimer: ReturnType<typeof setTimeout> | undefined
}

/** How long a large answer may take to arrive once it has its permit, since others wait for that. */
const MAX_ARRIVAL_MS = 30_000
const CHUNK_CHARACTERS = 131_072

export function createOpenRequests(): OpenRequests {
  const requests = new Map<number, OpenRequest>()
  const memory = createMemoryBudget()

  function startArrivalTimer(id: number): void {
    const own = requests.get(id)
    if (own === undefined) return
    own.arrivalTimer = setTimeout(
      () => own.controller.abort(new OutboundError('timeout', MAX_ARRIVAL_MS)),
      MAX_ARRIVAL_MS,
    )
  }

  return {
    open: (id, accountId) => {
      const controller = new AbortController()
      const reservation = createReservation(memory, accountId, controller.signal, () => startArrivalTimer(id))
      requests.set(id, { controller, reservation, unread: '', arrivalTimer: undefined })
      return { signal: controller.signal, reservation }
    },
    isOpen: (id) => requests.has(id),
    keep: (id, text) => {
      const own = requests.get(id)
      clearTimeout(own?.arrivalTimer)
      if (own === undefined || !own.reservation.isHeld()) return false
      own.unread = text.slice(0, -1)
      return true
    },
    pull: (id) => {
      const own = requests.get(id)
      if (own === undefined || own.unread === '') return undefined
      const chunk = own.unread.slice(0, endOfChunk(own.unread))
      own.unread = own.unread.slice(chunk.length)
      return new TextEncoder().encode(chunk)
    },
    release: (id) => {
      const own = requests.get(id)
      requests.delete(id)
      clearTimeout(own?.arrivalTimer)
      own?.controller.abort(new OutboundError('cancelled'))
      own?.reservation.release()
    },
  }
}

/** Where a chunk ends: never inside a surrogate pair. */
function endOfChunk(text: string): number {
  const isHighSurrogate = (text.charCodeAt(CHUNK_CHARACTERS - 1) & 0xfc00) === 0xd800
  return isHighSurrogate ? CHUNK_CHARACTERS - 1 : CHUNK_CHARACTERS
}

/**
 * An answer up to the first size needs no permit, up to the second one a medium permit, and a larger one a medium and a
 * large permit.
 */
const SMALL_BYTES = 64 * 1024
const MEDIUM_BYTES = 1024 * 1024

/**
 * Permits for the answers of all upstreams that are in memory: about 50 MiB, and at most half of that for one account.
 */
type MemoryBudget = { medium: Semaphore; large: Semaphore }

/** The part of the budget that one answer holds. */
export type Reservation = {
  /**
   * To be awaited before this many bytes of the answer are held. Rejects with the signal's reason if it is aborted
   * first, and with OutboundError (`busy`) if too many wait.
   */
  reserve: (bytes: number) => Promise<void> | undefined
  /** Whether the answer is larger than a small one. */
  isHeld: () => boolean
  /** For a large answer: frees the copies that reading or inspecting it has left behind. */
  collectGarbage: () => void
  release: () => void
}

const collectGarbage = () => Bun.gc(true)

function createMemoryBudget(): MemoryBudget {
  // Each that waits holds a connection open, which takes memory.
  const toFull = () => new OutboundError('busy')
  return {
    medium: createSemaphore({ ofAll: 16, ofKey: 8, waitingOfAll: 24, waitingOfKey: 12, toFull }),
    large: createSemaphore({ ofAll: 2, ofKey: 1, waitingOfAll: 16, waitingOfKey: 8, toFull }),
  }
}

/**
 * An empty reservation of an account. A large answer keeps its medium permit while it waits for a large one; the holder
 * of a large permit waits for nothing more, so there is no deadlock. `onLarge` is called when the answer gets its large
 * permit.
 */
function createReservation(
  { medium, large }: MemoryBudget,
  accountId: string,
  signal: AbortSignal,
  onLarge: () => void,
): Reservation {
  const permits: (() => void)[] = []
  let isReleased = false

  async function acquire(semaphore: Semaphore): Promise<void> {
    const giveBack = await semaphore.acquire(accountId, signal)
    if (isReleased) giveBack()
    else permits.push(giveBack)
  }

  async function grow(bytes: number): Promise<void> {
    if (permits.length === 0) await acquire(medium)
    if (bytes <= MEDIUM_BYTES || permits.length !== 1) return
    await acquire(large)
    if (isReleased) return
    onLarge()
    collectGarbage()
  }

  return {
    reserve: (bytes) => {
      const isEnough = bytes <= SMALL_BYTES || permits.length === 2 || (permits.length === 1 && bytes <= MEDIUM_BYTES)
      return isEnough ? undefined : grow(bytes)
    },
    isHeld: () => permits.length > 0,
    collectGarbage: () => {
      if (permits.length === 2) collectGarbage()
    },
    release: () => {
      isReleased = true
      for (const giveBack of permits.splice(0)) giveBack()
    },
  }
}
