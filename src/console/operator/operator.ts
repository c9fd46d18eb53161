import { type CountedAccount, countAccounts, listAllAccounts } from '../../account/organizations/all-accounts.ts'
import { subscriptionState } from '../../account/subscription/subscription.ts'
import { readServiceState, type ServiceState } from '../../maintenance/service-state.ts'
import { STATES } from '../account/account.ts'
import { countOf, toCount, toExactTime, toSize, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { numeric, toBadge, toCountedHeading, toFacts, toTable } from '../markup/table.ts'
import type { Page, PageContent, PageRequest } from '../page.ts'
import { paginate, toPageLink } from '../paging.ts'
import { BACKUPS_PATH } from './backups.ts'

/** The path of the page. */
export const OPERATOR_PATH = '/console/operator'

/** The page of the whole service, for the operator; others get status 404. */
export const operator: Page = { path: OPERATOR_PATH, show: showOperator, isOperators: true }

const COLUMNS = ['Account', 'Plan', 'Subscription', 'Until', numeric('People'), numeric('Projects'), 'Created']

/** The state of the whole service, and its accounts. */
async function showOperator(req: PageRequest): Promise<PageContent> {
  const { service, actor } = req
  const all = await listAllAccounts(service, actor)
  const { rows, more } = paginate(req, all)
  const accounts = await countAccounts(service, rows)
  const now = service.clock.now()
  const state = await readServiceState(service, actor)
  const { trashDays, auditDays, historyDays } = state
  const body = html`<p class="back"><a href="/console/me">You</a></p>
<h1>Operator</h1>
<p class="quiet">This service as a whole, for owners of its first account.</p>
${toFacts([
  ...toHealth(state.health),
  ...toCare(state),
  ['Version', service.version],
  ['Trash', html`kept for ${countOf(trashDays, 'day')} <small><code>SVC_TRASH_DAYS</code></small>`],
  ['Audit log', html`kept for ${countOf(auditDays, 'day')} <small><code>SVC_AUDIT_DAYS</code></small>`],
  ['Session histories', html`kept for ${countOf(historyDays, 'day')} <small><code>SVC_HISTORY_DAYS</code></small>`],
])}
<section>${toCountedHeading('Accounts', all.length)}
${toTable(
  'Accounts of this service',
  COLUMNS,
  accounts.map((one) => toRow(one, now)),
  'None.',
)}
${toPageLink(more, 'More')}
<p class="quiet">To add an account, run <code>memsvc account add</code>.</p>
</section>`
  return { title: 'Operator', body }
}

function toHealth(health: ServiceState['health']): [string, Html | string | undefined][] {
  if ('reason' in health) return [['Health', html`${toBadge('not ready', 'bad')} ${health.reason}`]]
  const { freeBytes, lastCommitAt, databaseMs, damaged = [] } = health
  return [
    ['Health', toBadge('ready', 'good')],
    [
      'Damaged',
      damaged.length === 0
        ? undefined
        : html`${toBadge(countOf(damaged.length, 'project'), 'bad')} ${damaged.join(', ')}`,
    ],
    ['Free disk space', freeBytes === undefined ? undefined : toSize(freeBytes)],
    ['Database answers in', databaseMs === undefined ? undefined : `${toCount(Math.ceil(databaseMs))} ms`],
    ['Last write', lastCommitAt === undefined ? 'none since the start' : toTime(lastCommitAt)],
  ]
}

/** What is known of backups and checks. */
function toCare({ isDatabase, lastBackup, lastCheck }: ServiceState): [string, Html][] {
  const backups = html`<a href="${BACKUPS_PATH}">Backups</a>`
  if (isDatabase) return [['Backups and checks', html`by the tools of the database; ${backups}`]]
  const made = lastBackup === undefined ? 'none known' : html`${toTime(lastBackup.madeAt)}, ${toSize(lastBackup.bytes)}`
  return [
    ['Last backup', html`${made}; ${backups}`],
    ['Check for damage', toCheck(lastCheck)],
  ]
}

function toCheck(check: ServiceState['lastCheck']): Html {
  if (check === undefined) return html`not done yet`
  const { at, faults } = check
  return html`${toExactTime(at)} ${faults === 0 ? toBadge('no damage', 'good') : toBadge(countOf(faults, 'fault'), 'bad')}`
}

function toRow({ account, members, projects }: CountedAccount, now: number) {
  const { id, name, plan, subscribedAt, subscribedUntil, createdAt } = account
  return [
    html`<a href="${OPERATOR_PATH}/accounts/${id}"><bdi>${name}</bdi></a>`,
    plan,
    toStateBadges(account, now),
    subscribedAt === null || subscribedUntil === null ? '–' : toTime(subscribedUntil),
    toCount(members),
    toCount(projects),
    toTime(createdAt),
  ]
}

/** The state of an account's subscription, and whether the operator suspended it. */
export function toStateBadges(account: CountedAccount['account'], now: number): Html {
  const state = subscriptionState(account, now)
  const mark =
    account.removedAt !== null ? 'removed' : account.suspendedAt !== null ? 'suspended by the operator' : undefined
  return html`${toBadge(state, STATES[state].look)}${mark && html` ${toBadge(mark, 'bad')}`}`
}
