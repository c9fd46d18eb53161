import { createPlaces, type Places } from './places.ts'

/** Bytes up to which an answer is read and kept without a place, and up to which it takes only a place of its kind. */
const SMALL_BYTES = 64 * 1024
const MEDIUM_BYTES = 1024 * 1024

/** Room for the answers of all upstreams that are in memory at once: some 50 MiB, of which one account gets half at most. */
export type Rooms = { medium: Places; large: Places }

/** One answer's part of it. */
export type Room = {
  /** Must be waited for before an answer of this size is kept. Rejected with the signal's reason when it is aborted first. */
  grow: (bytes: number) => Promise<void> | undefined
  isHeld: () => boolean
  /** Gives back what reading or judging a large answer has left behind: each step makes a copy of it. Does nothing for a smaller one. */
  tidy: () => void
  free: () => void
}

export function createRooms(): Rooms {
  return {
    medium: createPlaces({ ofAll: 16, ofOwner: 8, waiting: 24, waitingOfOwner: 12 }),
    large: createPlaces({ ofAll: 2, ofOwner: 1, waiting: 16, waitingOfOwner: 8 }),
  }
}

/** What is done for a large answer. */
type Care = { onLarge: () => void; collect: () => void }

/** `onLarge` is called when the answer has got a large place. A large answer keeps its medium place while it waits for a large one: who has a large one waits for nothing, so that all come to an end. */
export function createRoom({ medium, large }: Rooms, owner: string, signal: AbortSignal, { onLarge, collect }: Care): Room {
  const held: (() => void)[] = []
  let isOver = false

  async function take(places: Places): Promise<void> {
    const free = await places.take(owner, signal)
    if (isOver) free()
    else held.push(free)
  }

  async function growTo(bytes: number): Promise<void> {
    if (held.length === 0) await take(medium)
    if (bytes <= MEDIUM_BYTES || held.length !== 1) return
    await take(large)
    if (isOver) return
    onLarge()
    collect()
  }

  return {
    grow: (bytes) => {
      const isEnough = bytes <= SMALL_BYTES || held.length === 2 || (held.length === 1 && bytes <= MEDIUM_BYTES)
      return isEnough ? undefined : growTo(bytes)
    },
    isHeld: () => held.length > 0,
    tidy: () => {
      if (held.length === 2) collect()
    },
    free: () => {
      isOver = true
      for (const free of held.splice(0)) free()
    },
  }
}
