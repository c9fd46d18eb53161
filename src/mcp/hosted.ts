import type { Caller } from '../account/auth/caller.ts'

const IDENTITY = ['api_version', 'tenant_id', 'project_id']

/** What every answer says of itself to a keyed caller; nothing to a hosted one. */
export function identityFor(caller: Caller): Record<string, string> {
  return caller.hosted ? {} : { api_version: '1.0', tenant_id: caller.accountId, project_id: caller.projectId }
}

/** The value without the members a hosted caller must not see, wherever they stand in it. */
export function withoutIdentity(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutIdentity)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(([key]) => !IDENTITY.includes(key))
  return Object.fromEntries(kept.map(([key, inner]) => [key, withoutIdentity(inner)]))
}
