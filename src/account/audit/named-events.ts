import type { Account } from '../../store/account.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { AppContext } from '../context.ts'
import { isOnAccount } from './audit.ts'

/**
 * An audit event with names in place of ids; the id of something that is no longer stored remains. `entry` is the
 * original event.
 */
export type NamedEvent = Pick<AuditEntry, 'at' | 'act' | 'target' | 'via' | 'outcome' | 'details'> & {
  who: string
  project: string | undefined
  /** The object of the event, if it has a page: an existing member, key or project, or another account. */
  about: { kind: 'member' | 'key' | 'project' | 'account'; id: string } | undefined
  entry: AuditEntry
}

/** The names of ids; `kind` is set if there is a page about it. */
type Names = Map<string, { name: string; kind?: NonNullable<NamedEvent['about']>['kind'] | undefined }>

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Details that contain the name of a target that is deleted once it is used, such as an invitation. */
const NAMING_DETAILS = ['name', 'email', 'application'] as const

/** Events of one account, with names in place of ids. */
export async function nameEvents(ctx: AppContext, account: Account, entries: AuditEntry[]): Promise<NamedEvent[]> {
  return nameWith(ctx, await readNames(ctx, account), entries)
}

/** The same for batches of events; the names of members, departments and projects are read once. */
export async function* nameBatches(
  ctx: AppContext,
  account: Account,
  batches: AsyncIterable<AuditEntry[]>,
): AsyncGenerator<NamedEvent[]> {
  const names = await readNames(ctx, account)
  for await (const entries of batches) yield await nameWith(ctx, names, entries)
}

/** Adds to `names` what the events name. */
async function nameWith(ctx: AppContext, names: Names, entries: AuditEntry[]): Promise<NamedEvent[]> {
  await addKeys(ctx, names, entries)
  await addAccounts(ctx, names, entries)
  const actorName = await actorNames(
    ctx,
    entries.map(({ actor }) => actor),
  )
  return entries.map((entry) => ({ ...toNamed(names, entry), who: actorName(entry.actor) }))
}

/**
 * Reads the names of actors in one query. Returns a function from an actor to the name of the member, removed or not,
 * or the label of the service key; `operator`, `service` and `unknown` stay as they are.
 */
export async function actorNames({ store }: AppContext, actors: string[]): Promise<(actor: string) => string> {
  const ids = [...new Set(actors.map(toAuthorId))].filter((id) => id !== undefined)
  const names = new Map((await store.control.findAuthors(ids)).map(({ id, name }) => [id, name]))
  return (actor) => names.get(toAuthorId(actor) ?? '') ?? actor
}

function toAuthorId(actor: string): string | undefined {
  const [kind, id] = actor.split(':')
  return kind === 'member' || kind === 'key' ? id : undefined
}

async function readNames({ store }: AppContext, { id, name }: Account): Promise<Names> {
  const { control } = store
  const names: Names = new Map([[id, { name }]])
  for (const one of await control.list('members', { accountId: id }))
    names.set(one.id, { name: one.name, kind: one.removedAt === null ? 'member' : undefined })
  for (const one of await control.list('departments', { accountId: id })) names.set(one.id, { name: one.name })
  for (const one of await control.list('projects', { accountId: id }))
    names.set(one.id, { name: one.name, kind: one.removedAt === null ? 'project' : undefined })
  return names
}

/** Looks up only the keys that the events name, since an account may have many; keys of other accounts are omitted. */
async function addKeys({ store }: AppContext, names: Names, entries: AuditEntry[]): Promise<void> {
  const values = new Set(entries.flatMap(({ target, details }) => [target, ...Object.values(details)]))
  const ids = [...values]
    .filter((value) => typeof value === 'string')
    .filter((value) => !names.has(value) && ID.test(value))
  for (const { id, projectId, label, shown } of await store.control.list('keys', { id: ids }))
    if (names.has(projectId)) names.set(id, { name: `${label} (svc_${shown}…)`, kind: 'key' })
}

/** Other accounts are in the log of the operator's alone, which `listVisibleEvents` shows to nobody else. */
async function addAccounts({ store }: AppContext, names: Names, entries: AuditEntry[]): Promise<void> {
  const ids = new Set(
    entries.flatMap(({ act, target }) => (target !== null && isOnAccount(act) && !names.has(target) ? [target] : [])),
  )
  for (const { id, name } of await store.control.list('accounts', { id: [...ids] }))
    names.set(id, { name, kind: 'account' })
}

function toNamed(names: Names, entry: AuditEntry): Omit<NamedEvent, 'who'> {
  const { at, act, via, outcome, projectId, target } = entry
  const kind = target === null ? undefined : names.get(target)?.kind
  const details = Object.entries(entry.details).map(([name, value]) => [
    name,
    (typeof value === 'string' && names.get(value)?.name) || value,
  ])
  return {
    at,
    act,
    via,
    outcome,
    project: projectId === null ? undefined : (names.get(projectId)?.name ?? projectId),
    about: target === null || kind === undefined ? undefined : { kind, id: target },
    entry,
    target: toTarget(names, entry),
    details: Object.fromEntries(details),
  }
}

function toTarget(names: Names, { target, details }: AuditEntry): string | null {
  if (target === null || !ID.test(target)) return target
  const naming = NAMING_DETAILS.map((name) => details[name]).find((value) => typeof value === 'string' && value !== '')
  return names.get(target)?.name ?? (naming === undefined ? target : String(naming))
}
