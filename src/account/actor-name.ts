import type { AuditEntry } from '../store/audit.ts'
import type { Means } from './means.ts'

/** The name of a member, removed or not, or of a service key; other actors say what they are. */
export async function actorName({ store }: Pick<Means, 'store'>, actor: AuditEntry['actor']): Promise<string> {
  const [kind, id] = actor.split(':')
  if (id === undefined || (kind !== 'member' && kind !== 'key')) return actor
  return (await store.control.findAuthor(id))?.name ?? actor
}
