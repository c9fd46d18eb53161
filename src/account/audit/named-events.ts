import type { Account } from '../../store/account.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { AppContext } from '../context.ts'
import { actorName } from './actor-name.ts'

/** A line of the audit log with names in place of ids. An id of what is nowhere kept any more stays. */
export type NamedEvent = Pick<AuditEntry, 'at' | 'act' | 'target' | 'origin' | 'outcome' | 'details'> & {
  who: string
  project: string | undefined
}

type Known = Map<string, string>

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Details that tell what an act was done to, where the target is an id of something that is kept no longer than it is used. */
const TELLING = ['name', 'email', 'application'] as const

/** Lines of one account, as its people know what they tell of. */
export async function nameEvents(ctx: AppContext, account: Account, entries: AuditEntry[]): Promise<NamedEvent[]> {
  const known = await listNames(ctx, account)
  await addKeys(ctx, known, entries)
  return Promise.all(entries.map((entry) => toNamed(ctx, known, entry)))
}

async function listNames({ store }: AppContext, { id, name }: Account): Promise<Known> {
  const { control } = store
  const named = [await control.listMembers(id), await control.listDepartments(id), await control.listProjects(id)].flat()
  return new Map([[id, name], ...named.map((one) => [one.id, one.name] as const)])
}

/** Of keys there may be many: those are looked up that the lines name, and that are of a project of the account. */
async function addKeys({ store }: AppContext, known: Known, entries: AuditEntry[]): Promise<void> {
  const ids = entries.flatMap(({ target, details }) => [target, ...Object.values(details)]).filter((value) => typeof value === 'string')
  for (const id of new Set(ids)) {
    if (known.has(id) || !ID.test(id)) continue
    const [key] = await store.control.findKeys(id)
    if (key !== undefined && known.has(key.projectId)) known.set(id, `${key.label} (svc_${key.shown}…)`)
  }
}

async function toNamed(ctx: AppContext, known: Known, entry: AuditEntry): Promise<NamedEvent> {
  const { at, act, origin, outcome, projectId } = entry
  const details = Object.entries(entry.details).map(([name, value]) => [name, (typeof value === 'string' && known.get(value)) || value])
  return {
    at,
    act,
    origin,
    outcome,
    who: await actorName(ctx, entry.actor),
    project: projectId === null ? undefined : (known.get(projectId) ?? projectId),
    target: toTarget(known, entry),
    details: Object.fromEntries(details),
  }
}

function toTarget(known: Known, { target, details }: AuditEntry): string | null {
  if (target === null || !ID.test(target)) return target
  const telling = TELLING.map((name) => details[name]).find((value) => typeof value === 'string' && value !== '')
  return known.get(target) ?? (telling === undefined ? target : String(telling))
}
