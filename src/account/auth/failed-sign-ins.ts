import type { Unauthorized } from '../../errors.ts'
import { isWholeKey } from '../../secrets/key.ts'
import { sha256Hex } from '../../secrets/secret.ts'
import type { Member } from '../../store/account.ts'
import { type AuditEvent, recordEventAlone } from '../audit/audit.ts'
import type { AppContext } from '../context.ts'
import type { ClientIp } from './caller.ts'

/**
 * Records that an `Authorization` header, or a key entered elsewhere, was rejected; a request without one is not an
 * attempt. The credential itself is not recorded. Never throws, since the answer to the client must not depend on it.
 */
export async function recordFailedSignIn(
  ctx: AppContext,
  { sent }: Unauthorized,
  header: string,
  clientIp: ClientIp,
): Promise<void> {
  if (sent !== 'none') await recordFailure(ctx, sent, clientIp(), () => findOwner(ctx, header))
}

/**
 * Records that a password was not accepted. `member` is who has the e-mail address that was entered with it, if
 * anybody. Never throws.
 */
export function recordFailedPassword(ctx: AppContext, member: Member | undefined, clientIp: string): Promise<void> {
  return recordFailure(ctx, 'password', clientIp, async () =>
    member ? { accountId: member.accountId, target: member.id } : {},
  )
}

type Owner = Pick<AuditEvent, 'accountId' | 'projectId' | 'target'>

async function recordFailure(
  ctx: AppContext,
  credential: string,
  clientIp: string | undefined,
  findOwner: () => Promise<Owner>,
): Promise<void> {
  const taken = ctx.failedSignIns.take(clientIp ?? 'unknown', ctx.clock.ticks())
  if (taken === undefined) return
  try {
    const details = { credential, held_back: taken.heldBack }
    const event = { act: 'sign-in.fail', ...(await findOwner()), outcome: 'refused' as const, details }
    await recordEventAlone(ctx, { kind: 'anonymous', clientIp: clientIp ?? null }, event)
  } catch (error) {
    ctx.log('the owner of a refused credential was not found', { error: String(error) })
  }
}

/** The owner of a rejected key, if it is a known one. */
async function findOwner({ store }: AppContext, header: string): Promise<Owner> {
  const key = header.replace(/^Bearer /, '')
  const holder = isWholeKey(key) ? await store.control.findKeyHolder({ digest: sha256Hex(key) }) : undefined
  return holder === undefined
    ? {}
    : { accountId: holder.account.id, projectId: holder.project.id, target: holder.key.id }
}
