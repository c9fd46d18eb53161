import type { AuditEntry, AuditSelection, StoredAuditEntry } from '../../store/audit.ts'
import { isOperatingMember, type MemberActor, requireManager } from '../auth/actor.ts'
import type { AppContext } from '../context.ts'
import { isOnAccount, recordEventAlone } from './audit.ts'
import { BATCH_ROWS, countRows, type MatchingPage, type Part, readBatches, takePage } from './batches.ts'

/**
 * Conditions on events; all must hold. `actor` is in the form of the log, `kind` the noun of an act, such as
 * `key`; times are in milliseconds since 1970.
 */
export type AuditFilter = Pick<AuditSelection, 'act' | 'actor' | 'projectId' | 'from' | 'until'> & {
  kind?: string | undefined
  outcome?: AuditEntry['outcome'] | undefined
}

/**
 * Events of the actor's account, newest first, for those who manage it. For somebody else's rejected draft only the
 * rejection is shown, not its hash or reason. What an owner did to another account as the operator is shown to the
 * operator alone: owners of the first account. Time is linear in the number of events that meet the first condition, of
 * which at most 5 000 are examined.
 *
 * @throws Refusal for others.
 */
export async function listVisibleEvents(
  ctx: AppContext,
  actor: MemberActor,
  filter: AuditFilter,
  part: Part,
): Promise<MatchingPage<StoredAuditEntry>> {
  requireManager(actor, actor.account.id)
  return takePage(readEvents(ctx, actor, filter, part), part.limit)
}

/**
 * How many events `listVisibleEvents` shows without conditions; undefined if the log has more than 200 000.
 *
 * @throws Refusal as it does.
 */
export async function countVisibleEvents(
  { store: { control } }: AppContext,
  actor: MemberActor,
): Promise<number | undefined> {
  const accountId = actor.account.id
  requireManager(actor, accountId)
  const count = await countRows(control, 'audit', { accountId })
  if (count === undefined || (await isOperatingMember(control, actor))) return count
  let hidden = 0
  for (const act of (await control.listAuditValues(accountId, 'act', MAX_ACTS)).filter(isOnAccount))
    hidden +=
      (await control.count('audit', { accountId, act })) -
      (await control.count('audit', { accountId, act, target: accountId }))
  return count - hidden
}

/**
 * All events that pass, as `listVisibleEvents` shows them, newest first and in batches. The export is recorded in the
 * audit log with their number, even if it was not read to the end.
 *
 * @throws Refusal as `listVisibleEvents`.
 */
export function exportVisibleEvents(
  ctx: AppContext,
  actor: MemberActor,
  filter: AuditFilter,
): AsyncGenerator<StoredAuditEntry[]> {
  requireManager(actor, actor.account.id)
  return exportEvents(ctx, actor, filter)
}

async function* exportEvents(
  ctx: AppContext,
  actor: MemberActor,
  filter: AuditFilter,
): AsyncGenerator<StoredAuditEntry[]> {
  let events = 0
  try {
    for await (const { passed } of readEvents(ctx, actor, filter, { limit: BATCH_ROWS })) {
      events += passed.length
      yield passed
    }
  } finally {
    await recordEventAlone(ctx, actor, { act: 'audit.export', accountId: actor.account.id, details: { events } })
  }
}

/**
 * The choices of the filters above the log: the acts and actors that occur in it. `areMore`: it has more actors than
 * these.
 */
type AuditChoices = { acts: string[]; actors: string[]; areMore: boolean }

const MAX_ACTS = 500
const MAX_ACTORS = 200

/**
 * The acts and the actors of the events of the actor's account.
 *
 * @throws Refusal for those who do not manage it.
 */
export async function listAuditChoices({ store: { control } }: AppContext, actor: MemberActor): Promise<AuditChoices> {
  const { id } = actor.account
  requireManager(actor, id)
  const acts = await control.listAuditValues(id, 'act', MAX_ACTS)
  const actors = await control.listAuditValues(id, 'actor', MAX_ACTORS + 1)
  return { acts, actors: actors.slice(0, MAX_ACTORS), areMore: actors.length > MAX_ACTORS }
}

/** The conditions with an index, in order of preference. */
const CONDITIONS = ['act', 'actor', 'projectId'] as const

/**
 * Reads events in batches by one condition, for which the store has an index; the other conditions are checked here.
 */
async function* readEvents({ store }: AppContext, actor: MemberActor, filter: AuditFilter, { before, limit }: Part) {
  const { from, until, kind, outcome } = filter
  const [indexed, ...others] = CONDITIONS.filter((name) => filter[name] !== undefined)
  const size =
    others.length === 0 && kind === undefined && outcome === undefined ? Math.min(limit + 1, BATCH_ROWS) : BATCH_ROWS
  const isOperator = await isOperatingMember(store.control, actor)
  const isPassed = (entry: StoredAuditEntry) =>
    others.every((name) => entry[name] === filter[name]) &&
    (kind === undefined || entry.act.startsWith(`${kind}.`)) &&
    (outcome === undefined || entry.outcome === outcome) &&
    (isOperator || !isOfOtherAccount(entry, actor))
  const selection = { accountId: actor.account.id, from, until, ...(indexed && { [indexed]: filter[indexed] }) }
  const read = (part: Part) => store.control.listAudit({ ...selection, ...part })
  for await (const { passed, ...batch } of readBatches(read, isPassed, { before, size }))
    yield { ...batch, passed: passed.map((entry) => (isDraftOfOthers(entry, actor) ? toMasked(entry) : entry)) }
}

/** Whether an event in the log of the operator's account is about another account. */
const isOfOtherAccount = ({ act, target }: StoredAuditEntry, { account }: MemberActor): boolean =>
  isOnAccount(act) && target !== account.id

const toMasked = (entry: StoredAuditEntry) => ({ ...entry, target: null, details: { scope: 'draft' } })

function isDraftOfOthers({ act, actor, details }: StoredAuditEntry, { member }: MemberActor): boolean {
  return act === 'record.reject' && details.scope === 'draft' && actor !== `member:${member.id}`
}
