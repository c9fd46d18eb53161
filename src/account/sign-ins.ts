import type { Unauthorized } from '../errors.ts'
import type { Member } from '../store/control.ts'
import { type Deed, noteAlone } from './audit.ts'
import type { Origin } from './caller.ts'
import { digestOf, isWholeKey } from './key.ts'
import type { Means } from './means.ts'

/** Lets pass what is worth a line; what it holds back it counts. */
export type SignIns = {
  /** How many failures were held back since the last line; undefined when this one is held back too. `now` in milliseconds of the monotonic clock. */
  take: (address: string, now: number) => { heldBack: number } | undefined
}

const DAY = 24 * 60 * 60 * 1000
const PAUSE = 10 * 60 * 1000
/** Bounds the log's growth, whoever tries what from how many addresses, and the addresses held in memory. */
const MOST_A_DAY = 1000

/** At most one line in ten minutes of each address, and a thousand a day of all of them. */
export function createSignIns(): SignIns {
  const lines = new Map<string, number>()
  let began = Number.NEGATIVE_INFINITY
  let written = 0
  let heldBack = 0

  function isWorthALine(address: string, now: number): boolean {
    return written < MOST_A_DAY && now - (lines.get(address) ?? Number.NEGATIVE_INFINITY) >= PAUSE
  }

  return {
    take: (address, now) => {
      if (now - began >= DAY) {
        lines.clear()
        began = now
        written = 0
      }
      if (!isWorthALine(address, now)) {
        heldBack += 1
        return undefined
      }
      lines.set(address, now)
      written += 1
      const before = heldBack
      heldBack = 0
      return { heldBack: before }
    },
  }
}

type Given = Pick<Means, 'store' | 'clock' | 'signIns' | 'log'>

/**
 * Notes that an `Authorization` header, or a key entered elsewhere, was not accepted. A request without one is no attempt.
 * The credential itself is nowhere kept. Never throws: the answer does not depend on the log's health.
 */
export async function noteFailedSignIn(means: Given, { sent }: Unauthorized, header: string, origin: Origin): Promise<void> {
  if (sent !== 'none') await noteFailure(means, sent, origin(), () => ownerOf(means, header))
}

/** The same of a password; `member` is who has the e-mail address that was entered with it, if anybody. */
export function noteFailedPassword(means: Given, member: Member | undefined, address: string): Promise<void> {
  return noteFailure(means, 'password', address, async () => (member ? { accountId: member.accountId, target: member.id } : {}))
}

type Owner = Pick<Deed, 'accountId' | 'projectId' | 'target'>

async function noteFailure(means: Given, credential: string, address: string | undefined, findOwner: () => Promise<Owner>): Promise<void> {
  const line = means.signIns.take(address ?? 'unknown', means.clock.ticks())
  if (line === undefined) return
  try {
    const details = { credential, held_back: line.heldBack }
    const deed = { act: 'sign-in.fail', ...(await findOwner()), outcome: 'refused' as const, details }
    await noteAlone(means, { actor: 'unknown', origin: address ?? null }, deed)
  } catch (error) {
    means.log('a failed sign-in was not noted', { error: String(error) })
  }
}

/** Whose key it was, where it was one. */
async function ownerOf({ store }: Given, header: string): Promise<Owner> {
  const key = header.replace(/^Bearer /, '')
  const holder = isWholeKey(key) ? await store.control.findKeyHolder(digestOf(key)) : undefined
  return holder === undefined ? {} : { accountId: holder.account.id, projectId: holder.project.id, target: holder.key.id }
}
