import { TooMany } from '../../errors.ts'

/** Maximum bytes of bodies in memory at a time: of one sender, and of all. */
type HeldBounds = { ofOne: number; ofAll: number }

/** A key or a member by its id, and its account. */
export type Sender = { id: string; accountId: string }

export const toSender = ({ keyId, accountId }: { keyId: string; accountId: string }): Sender => ({
  id: keyId,
  accountId,
})

/**
 * Limits the memory of bodies while they are read and processed. The last quarter of it is only for senders that hold
 * nothing yet, and the last eighth for accounts that hold nothing yet, so that neither a few senders nor an account
 * with many can shut out others.
 */
export type HeldBytes = {
  /**
   * Reserves memory until the returned function is called.
   *
   * @throws TooMany if there is none left.
   */
  hold: (sender: Sender, bytes: number) => () => void
}

/** Seconds after which a refused sender may retry. */
const RETRY_S = 1
/** The part of the memory for senders that hold some already, and for those that do not but whose account does. */
const SHARE = { ofSender: 3 / 4, ofAccount: 7 / 8 }

export function createHeldBytes({ ofOne, ofAll }: HeldBounds): HeldBytes {
  /** By the id of a sender or an account. */
  const heldBy = new Map<string, number>()
  let held = 0

  function add(id: string, bytes: number): void {
    const sum = (heldBy.get(id) ?? 0) + bytes
    if (sum === 0) heldBy.delete(id)
    else heldBy.set(id, sum)
  }

  function change({ id, accountId }: Sender, bytes: number): void {
    held += bytes
    add(id, bytes)
    add(accountId, bytes)
  }

  function boundOf({ id, accountId }: Sender): number {
    if (!heldBy.has(accountId)) return ofAll
    return ofAll * (heldBy.has(id) ? SHARE.ofSender : SHARE.ofAccount)
  }

  return {
    hold: (sender, bytes) => {
      const bySender = (heldBy.get(sender.id) ?? 0) + bytes
      if (bySender > ofOne || held + bytes > boundOf(sender))
        throw new TooMany(RETRY_S, 'too many large bodies at once')
      change(sender, bytes)
      return () => change(sender, -bytes)
    },
  }
}
