import { Refusal } from '../../errors.ts'
import type { Account } from '../../store/account.ts'
import { type Actor, requireManager } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { applyChange } from './account.ts'

/** What an account decides about records that are about to be saved. `values`: the default first. */
export const POLICIES = {
  credentials: { field: 'credentialPolicy', about: 'credentials', values: ['reject', 'mask', 'allow'] },
  marked: { field: 'markedPolicy', about: 'marked records', values: ['caution', 'reject', 'allow'] },
} as const

export type PolicyKind = keyof typeof POLICIES

/**
 * Sets how records that contain a credential, or that the guard marks, are handled, from the next save on.
 *
 * @throws Refusal for everybody but the operator, owners and admins, and for a word that is no policy.
 */
export async function changePolicy(
  ctx: AppContext,
  actor: Actor,
  { account, kind, policy }: { account: Account; kind: PolicyKind; policy: string },
): Promise<Account> {
  requireManager(actor, account.id)
  const { field } = POLICIES[kind]
  const to = requirePolicy(kind, policy)
  const event = { act: `account.${kind}`, details: { from: account[field], to } }
  return applyChange(ctx, actor, account, () => ({ [field]: to }), event)
}

function requirePolicy(kind: PolicyKind, text: string): string {
  const { about, values } = POLICIES[kind]
  const policy = values.find((known) => known === text)
  if (policy === undefined) throw new Refusal(`what to do with ${about} must be one of ${values.join(', ')}`, kind)
  return policy
}
