import { createHmac } from 'node:crypto'
import { MINUTE_MS } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import { isSameSecret } from '../../secrets/secret.ts'
import { recordEvent, toEvent } from '../audit/audit.ts'
import type { AppContext } from '../context.ts'
import { consumeAttempt } from '../limits/throttle.ts'
import type { Actor, MemberActor } from './actor.ts'
import { findPassword } from './password.ts'

/** A code is valid in the period in which it was made, and in the next one. */
const PERIOD_MS = 10 * MINUTE_MS
/** Letters and digits that are not mistaken for each other (Crockford's base 32). */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
/** 50 bits. */
const CODE_LENGTH = 10

/** A code by which a member confirms their sign-in, with the time at which it ends, and the name of the member. */
type HistoryCode = { code: string; expiresAt: number; member: string }

/**
 * Makes the code by which the member who holds the actor's key confirms, in the console, that their sign-in is theirs.
 * It opens the session histories that they uploaded. Nothing is stored: a code is derived from the hash of the
 * password, so that it ends with the password.
 *
 * @throws Refusal for a service key, for a key that may not read session histories, and if the member never chose a
 *   password.
 */
export async function makeHistoryCode(ctx: AppContext, actor: Actor): Promise<HistoryCode> {
  if (actor.kind !== 'caller' || actor.caller.memberId === undefined)
    throw new Refusal('a service key has no sign-in; its sessions are read with the key alone')
  requireReadingKey(actor.caller)
  const { memberId } = actor.caller
  const { store, clock } = ctx
  const [member, password] = [
    await store.control.find('members', { id: memberId }),
    await findPassword(store.control, memberId),
  ]
  if (member === undefined || password === undefined)
    throw new Refusal('there is no password yet; sign in to the console first')
  const period = Math.floor(clock.now() / PERIOD_MS)
  await store.control.write((tx) => recordEvent(ctx, tx, actor, toEvent('member.history-code', member)))
  return { code: toCode(memberId, password, period), expiresAt: (period + 2) * PERIOD_MS, member: member.name }
}

/**
 * Confirms the actor's sign-in with a code. From then on it sees the session histories that they uploaded.
 *
 * @throws Refusal for a code that is wrong or no longer valid, TooMany for too many attempts.
 */
export async function confirmHistoryAccess(ctx: AppContext, actor: MemberActor, entered: string): Promise<void> {
  const { id } = actor.member
  await consumeAttempt(ctx, 'code by', id)
  const period = Math.floor(ctx.clock.now() / PERIOD_MS)
  await ctx.store.control.write(async (tx) => {
    const password = (await findPassword(tx, id)) ?? ''
    const isRight = [period, period - 1].some((one) =>
      isSameSecret(normalize(entered), normalize(toCode(id, password, one))),
    )
    if (!isRight) throw new Refusal('this code is wrong, or no longer valid', 'code')
    await tx.update('members', { id }, { historyAccess: 'confirmed' })
    await recordEvent(ctx, tx, actor, toEvent('member.confirm', actor.member))
  })
}

/**
 * Requires a key that may read session histories.
 *
 * @throws Refusal for one that was issued by a sign-in from which they were withheld, or by one that ended before
 *   anything was uploaded.
 */
export function requireReadingKey({ readsHistories }: { readsHistories: boolean }): void {
  if (readsHistories) return
  throw new Refusal(
    "this key uploads sessions and does not read them: somebody else's link set the password before or after it was issued; issue another key in the console, if sessions are withheld there once you confirmed the sign-in with 'memsvc sync console' where an older key is",
  )
}

/**
 * Whether a member has session histories in a project that they hold or held a key for. True if the histories cannot be
 * read.
 */
export async function hasUploaded({ store }: Pick<AppContext, 'store'>, memberId: string): Promise<boolean> {
  const projects = new Set((await store.control.list('keys', { memberId })).map(({ projectId }) => projectId))
  for (const id of projects) {
    const isThere = store
      .hasHistory(id)
      .then(async (has) => has && (await store.history(id).readHistoryUsage(memberId)).bytes > 0)
    if (await isThere.catch(() => true)) return true
  }
  return false
}

function toCode(memberId: string, password: string, period: number): string {
  const bytes = createHmac('sha256', password).update(`history code ${memberId} ${period}`).digest()
  const characters = [...bytes.subarray(0, CODE_LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length])
  return `${characters.slice(0, CODE_LENGTH / 2).join('')}-${characters.slice(CODE_LENGTH / 2).join('')}`
}

/** As people type it: in any case, with blanks, O for 0 and I or L for 1. */
function normalize(code: string): string {
  return code
    .slice(0, 100)
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1')
}
