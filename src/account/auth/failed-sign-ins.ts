import type { Unauthorized } from '../../errors.ts'
import { digestOf, isWholeKey } from '../../secrets/key.ts'
import type { Member } from '../../store/account.ts'
import { type AuditEvent, recordEventAlone } from '../audit/audit.ts'
import type { AppContext } from '../context.ts'
import type { ClientIp } from './caller.ts'

/** Lets pass what is worth a line; what it holds back it counts. */
export type FailedSignIns = {
  /** How many failures were held back since the last line; undefined when this one is held back too. `now` in milliseconds of the monotonic clock. */
  take: (address: string, now: number) => { heldBack: number } | undefined
}

const DAY_MS = 24 * 60 * 60 * 1000
const EVENT_INTERVAL_MS = 10 * 60 * 1000
/** Bounds the log's growth, whoever tries what from how many addresses, and the addresses held in memory. */
const MAX_EVENTS_PER_DAY = 1000

/** At most one line in ten minutes of each address, and a thousand a day of all of them. */
export function createFailedSignIns(): FailedSignIns {
  const lines = new Map<string, number>()
  let began = Number.NEGATIVE_INFINITY
  let written = 0
  let heldBack = 0

  function isWorthALine(address: string, now: number): boolean {
    return written < MAX_EVENTS_PER_DAY && now - (lines.get(address) ?? Number.NEGATIVE_INFINITY) >= EVENT_INTERVAL_MS
  }

  return {
    take: (address, now) => {
      if (now - began >= DAY_MS) {
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

/**
 * Notes that an `Authorization` header, or a key entered elsewhere, was not accepted. A request without one is no attempt.
 * The credential itself is nowhere kept. Never throws: the answer does not depend on the log's health.
 */
export async function recordFailedSignIn(ctx: AppContext, { sent }: Unauthorized, header: string, origin: ClientIp): Promise<void> {
  if (sent !== 'none') await noteFailure(ctx, sent, origin(), () => ownerOf(ctx, header))
}

/** The same of a password; `member` is who has the e-mail address that was entered with it, if anybody. */
export function recordFailedPassword(ctx: AppContext, member: Member | undefined, address: string): Promise<void> {
  return noteFailure(ctx, 'password', address, async () => (member ? { accountId: member.accountId, target: member.id } : {}))
}

type Owner = Pick<AuditEvent, 'accountId' | 'projectId' | 'target'>

async function noteFailure(
  ctx: AppContext,
  credential: string,
  address: string | undefined,
  findOwner: () => Promise<Owner>,
): Promise<void> {
  const line = ctx.failedSignIns.take(address ?? 'unknown', ctx.clock.ticks())
  if (line === undefined) return
  try {
    const details = { credential, held_back: line.heldBack }
    const deed = { act: 'sign-in.fail', ...(await findOwner()), outcome: 'refused' as const, details }
    await recordEventAlone(ctx, { kind: 'anonymous', clientIp: address ?? null }, deed)
  } catch (error) {
    ctx.log('a failed sign-in was not noted', { error: String(error) })
  }
}

/** Whose key it was, where it was one. */
async function ownerOf({ store }: AppContext, header: string): Promise<Owner> {
  const key = header.replace(/^Bearer /, '')
  const holder = isWholeKey(key) ? await store.control.findKeyHolder(digestOf(key)) : undefined
  return holder === undefined ? {} : { accountId: holder.account.id, projectId: holder.project.id, target: holder.key.id }
}
