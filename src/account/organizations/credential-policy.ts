import { Refusal } from '../../errors.ts'
import type { Account, CredentialPolicy } from '../../store/account.ts'
import { recordEvent } from '../audit/audit.ts'
import type { Actor } from '../auth/actor.ts'
import { requireManager } from '../auth/authorize.ts'
import type { AppContext } from '../context.ts'

/** The strictest first. */
export const CREDENTIAL_POLICIES: readonly CredentialPolicy[] = ['reject', 'mask', 'allow']

/**
 * Sets how records that contain a credential are handled, from the next save on.
 *
 * @throws Refusal for everybody but the operator, owners and admins, and for a word that is no policy.
 */
export async function changeCredentialPolicy(
  ctx: AppContext,
  actor: Actor,
  { account, policy: text }: { account: Account; policy: string },
): Promise<Account> {
  const { id } = account
  requireManager(actor, id)
  const credentialPolicy = requirePolicy(text)
  await ctx.store.control.write(async (tx) => {
    await tx.updateAccount(id, { credentialPolicy })
    const details = { from: account.credentialPolicy, to: credentialPolicy }
    await recordEvent(ctx, tx, actor, { act: 'account.credentials', accountId: id, target: id, details })
  })
  return { ...account, credentialPolicy }
}

function requirePolicy(text: string): CredentialPolicy {
  const policy = CREDENTIAL_POLICIES.find((known) => known === text)
  if (policy === undefined) throw new Refusal(`what to do with credentials must be one of ${CREDENTIAL_POLICIES.join(', ')}`, 'credentials')
  return policy
}
