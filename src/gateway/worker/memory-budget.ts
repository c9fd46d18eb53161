import { OutboundError } from '../../errors.ts'
import { createSemaphore, type Semaphore } from '../../semaphore.ts'

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

export function createMemoryBudget(): MemoryBudget {
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
export function createReservation(
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
