import type { AuditEntry } from '../../store/audit.ts'
import type { AppContext } from '../context.ts'

/** The name of a member, removed or not, or of a service key; other actors say what they are. */
export async function actorName({ store }: AppContext, actor: AuditEntry['actor']): Promise<string> {
  const [kind, id] = actor.split(':')
  if (id === undefined || (kind !== 'member' && kind !== 'key')) return actor
  return (await store.control.findAuthor(id))?.name ?? actor
}
