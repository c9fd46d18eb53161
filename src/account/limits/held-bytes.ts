import { TooMany } from '../../errors.ts'

/** Maximum bytes of bodies in memory at a time: of one sender, and of all. */
type HeldBounds = { ofOne: number; ofAll: number }

/** Limits the memory of bodies while they are read and processed. The last quarter of it is only for senders that hold nothing yet, so that a few cannot shut out others. */
export type HeldBytes = {
  /**
   * Reserves memory until the returned function is called. `sender` is the id of a key or a member.
   *
   * @throws TooMany if there is none left.
   */
  hold: (sender: string, bytes: number) => () => void
}

/** Seconds after which a refused sender may retry. */
const RETRY_S = 1
/** The part of the memory beyond which a sender may hold one body only. */
const RESERVED_FROM = 0.75

export function createHeldBytes({ ofOne, ofAll }: HeldBounds): HeldBytes {
  const heldBy = new Map<string, number>()
  let held = 0

  function release(sender: string, bytes: number): void {
    held -= bytes
    const rest = (heldBy.get(sender) ?? 0) - bytes
    if (rest === 0) heldBy.delete(sender)
    else heldBy.set(sender, rest)
  }

  return {
    hold: (sender, bytes) => {
      const before = heldBy.get(sender) ?? 0
      const bySender = before + bytes
      if (bySender > ofOne || held + bytes > (before === 0 ? ofAll : ofAll * RESERVED_FROM))
        throw new TooMany(RETRY_S, 'too many large bodies at once')
      heldBy.set(sender, bySender)
      held += bytes
      return () => release(sender, bytes)
    },
  }
}
