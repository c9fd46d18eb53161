import type { AuditEntry, AuditSelection } from '../../store/audit.ts'
import type { MemberActor } from '../auth/actor.ts'
import { requireManager } from '../auth/authorize.ts'
import type { AppContext } from '../context.ts'

type NumberedEntry = AuditEntry & { seq: number }

/**
 * Events of the actor's account, newest first, for those who manage it. Of a rejected draft of somebody else they show that it was rejected, and neither
 * its hash nor the reason.
 *
 * @throws Refusal for others.
 */
export async function listVisibleEvents(
  { store }: AppContext,
  actor: MemberActor,
  selection: Omit<AuditSelection, 'accountId'>,
): Promise<NumberedEntry[]> {
  requireManager(actor, actor.account.id)
  const entries = await store.control.listAudit({ ...selection, accountId: actor.account.id })
  return entries.map((entry) => (isDraftOfOthers(entry, actor) ? { ...entry, target: null, details: { scope: 'draft' } } : entry))
}

function isDraftOfOthers({ act, actor, details }: AuditEntry, { member }: MemberActor): boolean {
  return act === 'record.reject' && details.scope === 'draft' && actor !== `member:${member.id}`
}
