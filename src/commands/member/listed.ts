import type { Service } from '../../service.ts'
import type { Member } from '../../store/account.ts'
import { toIsoTime } from '../terminal/table.ts'

/** A member as commands print it in JSON, with the department's name. */
export async function toListedMember({ store }: Service, member: Member) {
  const departments = await store.control.listDepartments(member.accountId)
  return {
    id: member.id,
    email: member.email,
    name: member.name,
    role: member.role,
    department: departments.find(({ id }) => id === member.departmentId)?.name ?? null,
    account_id: member.accountId,
    created_at: toIsoTime(member.createdAt),
    removed_at: toIsoTime(member.removedAt),
  }
}
