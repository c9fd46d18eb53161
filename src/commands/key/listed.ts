import { keyState } from '../../account/keys/key-state.ts'
import { toIsoTimeOrNull } from '../../clock.ts'
import type { Member } from '../../store/account.ts'
import type { Key } from '../../store/key.ts'

/** A key as JSON output, without the key itself. Its state is that at `now`, in milliseconds since 1970. */
export function toListedKey(key: Key, member: Member | undefined, now: number) {
  return {
    id: key.id,
    shown: key.shown,
    label: key.label,
    project_id: key.projectId,
    member: member?.email ?? null,
    tool_names: key.toolNames,
    state: keyState(key, member, now),
    created_at: toIsoTimeOrNull(key.createdAt),
    expires_at: toIsoTimeOrNull(key.expiresAt),
    revoked_at: toIsoTimeOrNull(key.revokedAt),
    last_used_at: toIsoTimeOrNull(key.lastUsedAt),
  }
}

/** A new key as text, the only time that it is printed. */
export function toIssuedText({ key, id }: { key: string; id: string }): string {
  return `${key}\n\nKeep it now: it cannot be shown again. Its id is ${id}.`
}
