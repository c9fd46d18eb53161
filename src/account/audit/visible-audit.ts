import type { AuditEntry, AuditSelection } from '../../store/audit.ts'
import { toMemberActor } from '../auth/actor.ts'
import { requireManager } from '../auth/authorize.ts'
import type { Visitor } from '../auth/session.ts'
import type { AppContext } from '../context.ts'

type Line = AuditEntry & { seq: number }

/**
 * Lines of the audit log of the visitor's account, newest first, for those who manage it. Of a draft of somebody else that the guard rejected they read
 * that it was, and neither its hash nor the reason. Throws a Refusal for others.
 */
export async function listVisitorAudit(
  { store }: AppContext,
  visitor: Visitor,
  selection: Omit<AuditSelection, 'accountId'>,
): Promise<Line[]> {
  requireManager(toMemberActor(visitor, null), visitor.account.id)
  const lines = await store.control.listAudit({ ...selection, accountId: visitor.account.id })
  return lines.map((line) => (isDraftOfOthers(line, visitor) ? { ...line, target: null, details: { scope: 'draft' } } : line))
}

function isDraftOfOthers({ act, actor, details }: Line, { member }: Visitor): boolean {
  return act === 'record.reject' && details.scope === 'draft' && actor !== `member:${member.id}`
}
