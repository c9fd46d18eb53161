import { type Static, Type } from 'typebox'
import type { Caller } from '../account/auth/caller.ts'
import { Refusal } from '../errors.ts'
import type { Audience } from '../store/record.ts'

/** Who sees a record: every caller of the project, callers of the author's department, or its author alone. */
export const Scope = Type.Union([Type.Literal('shared'), Type.Literal('department'), Type.Literal('draft')])
export type Scope = Static<typeof Scope>
export const SCOPES = Scope.anyOf.map((scope) => scope.const)

/**
 * The identity under which somebody saves and reads records: a member or a service key, and the member's department.
 */
export type Principal = Pick<Caller, 'authorId' | 'departmentId'>

/**
 * The audiences whose records a principal may see. Every read of records is restricted to them; isolation within a
 * project depends on it.
 */
export function visibleTo({ authorId, departmentId }: Principal): Audience[] {
  const own = ['*', `a:${authorId}`]
  return departmentId === undefined ? own : [...own, `d:${departmentId}`]
}

/**
 * The audience of a record that a principal saves with a scope.
 *
 * @throws Refusal for scope `department` of a principal without one.
 */
export function audienceOf({ authorId, departmentId }: Principal, scope: Scope): Audience {
  if (scope === 'shared') return '*'
  if (scope === 'draft') return `a:${authorId}`
  if (departmentId === undefined)
    throw new Refusal("scope 'department' needs a department, and this key's holder has none")
  return `d:${departmentId}`
}

/** The scope that a record of this audience was saved with. */
export function scopeOf(audience: Audience): Scope {
  if (audience === '*') return 'shared'
  return audience.startsWith('d:') ? 'department' : 'draft'
}

/** The id of the department of an audience; undefined for other audiences. */
export function departmentOf(audience: Audience): string | undefined {
  return audience.startsWith('d:') ? audience.slice('d:'.length) : undefined
}
