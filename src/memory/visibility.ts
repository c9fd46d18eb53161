import type { Caller } from '../account/auth/caller.ts'
import { Refusal } from '../errors.ts'
import type { Audience } from '../store/record.ts'
import type { Scope } from './records/record.ts'

/** Isolation in one place: whose records a caller may see. Every read of records starts with it. */
export function visibleTo({ authorId, departmentId }: Caller): Audience[] {
  const own = ['*', `a:${authorId}`]
  return departmentId === undefined ? own : [...own, `d:${departmentId}`]
}

/** Who will see a record that the caller saves with this scope. Throws a Refusal where the caller has no department. */
export function audienceOf({ authorId, departmentId }: Caller, scope: Scope): Audience {
  if (scope === 'shared') return '*'
  if (scope === 'draft') return `a:${authorId}`
  if (departmentId === undefined) throw new Refusal("scope 'department' needs a department, and this key's holder has none")
  return `d:${departmentId}`
}

/** The scope a record was saved with. */
export function scopeOf(audience: Audience): Scope {
  if (audience === '*') return 'shared'
  return audience.startsWith('d:') ? 'department' : 'draft'
}
