import { isFirstAccount, requireManager } from '../../account/auth/actor.ts'
import { type Limits, limitsOf } from '../../account/limits/plan.ts'
import { renameAccount } from '../../account/organizations/account.ts'
import { changePolicy, POLICIES, type PolicyKind } from '../../account/organizations/policies.ts'
import { removeAccount } from '../../account/organizations/remove-account.ts'
import { GRACE_MS, type SubscriptionState, subscriptionState } from '../../account/subscription/subscription.ts'
import type { Account, CredentialPolicy, MarkedPolicy } from '../../store/account.ts'
import { requireTypedName } from '../form.ts'
import { FORM_ID, toNameForm, toOptions, toSelect, toTypedRemoval } from '../markup/form.ts'
import { countOf, toCount, toExactTime, toFactTime, toSize } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { numeric, toBadge, toFacts, toFold, toTable } from '../markup/table.ts'
import type { Action, Answer, Page, PageContent, PageRequest } from '../page.ts'
import { redirect, undoable } from '../response.ts'

const PATH = '/console/account'

/** The page of the account's plan, limits and name, for owners and admins. */
export const account: Page = {
  path: PATH,
  show: showAccount,
  forms: {
    '': undoable(
      'account.renamed',
      ({ service, visitor, actor }, form) =>
        renameAccount(service, actor, { account: visitor.account, name: form.get('name') ?? '' }),
      ({ visitor }) => ({ fields: { name: visitor.account.name } }),
    ),
    '/credentials': setPolicy('credentials'),
    '/marked': setPolicy('marked'),
    '/remove': remove,
  },
}

/** The act of the form that sets a policy. */
function setPolicy(kind: PolicyKind): Action {
  return undoable(
    `account.${kind}`,
    ({ service, visitor, actor }, form) =>
      changePolicy(service, actor, { account: visitor.account, kind, policy: form.get(kind) ?? '' }),
    ({ visitor }) => ({ fields: { [kind]: visitor.account[POLICIES[kind].field] } }),
  )
}

/** Nobody of the account is signed in afterwards. */
async function remove({ service, visitor, actor }: PageRequest, form: URLSearchParams): Promise<Answer> {
  requireTypedName(form, visitor.account.name)
  await removeAccount(service, actor, visitor.account)
  return redirect('/console', 'account.removed')
}

/** Each limit with its name and how its number is shown. */
export const LIMITS: [keyof Limits, string, (number: number) => string][] = [
  ['callsPerKey', 'Calls per key in 60 s', toCount],
  ['callsPerProject', 'Calls per project in 60 s', toCount],
  ['records', 'Records per project', toCount],
  ['contentBytes', 'Content per project', toSize],
  ['workspaces', 'Workspaces per project', toCount],
  ['historyBytes', 'Session histories per project', toSize],
]

/** The label colour of each state of a subscription, and what works in it. */
export const STATES: Record<SubscriptionState, { look: 'good' | 'warn' | 'bad'; works: string }> = {
  none: { look: 'bad', works: 'Neither memory nor integrations, until the account subscribes to a plan.' },
  active: { look: 'good', works: 'Everything.' },
  grace: { look: 'warn', works: 'Searching, freshness checks and integrations; not saving or forgetting.' },
  suspended: { look: 'bad', works: 'Neither memory nor integrations. Everything saved is kept.' },
}

const MARKED_POLICIES: Record<MarkedPolicy, string> = {
  caution: 'Save the record with a caution',
  reject: 'Refuse the record',
  allow: 'Save the record as it is',
}
const CREDENTIAL_POLICIES: Record<CredentialPolicy, string> = {
  reject: 'Refuse the record',
  mask: 'Mask it with *** and save',
  allow: 'Save the record as it is',
}

/**
 * The page of an account: plan, subscription, limits, the policy for credentials in records, and the form that renames
 * it.
 */
async function showAccount({ service, visitor, actor }: PageRequest): Promise<PageContent> {
  const { account, member } = visitor
  requireManager(actor, account.id)
  const isOwner = member.role === 'owner'
  const isRemovable = isOwner && !(await isFirstAccount(service.store.control, account))
  const { plan, subscribedAt, subscribedUntil, createdAt } = account
  const state = subscriptionState(account, service.clock.now())
  const { look, works } = STATES[state]
  const body = html`<h1>Plan and rules</h1>
${toFacts([
  ['Name', html`<bdi>${account.name}</bdi>`],
  ['Plan', plan],
  ['Subscription', toBadge(state, look)],
  ['What works', works],
  ['Subscribed since', toFactTime(subscribedAt)],
  ['Until', subscribedAt === null ? undefined : (toFactTime(subscribedUntil) ?? 'no end')],
  [
    'Grace period until',
    subscribedAt === null || subscribedUntil === null ? undefined : toExactTime(subscribedUntil + GRACE_MS),
  ],
  ['Created', toExactTime(createdAt)],
  ['Id', html`<code>${account.id}</code>`],
])}
<section><h2>Limits</h2>
${toLimits(account)}
</section>
<section class="panel"><h2>Credentials</h2>
<form method="post" action="/console/account/credentials">${FORM_ID}
${toSelect({ name: 'credentials', label: 'When a record contains a password, key or token', value: account.credentialPolicy, hint: 'Recognized are tokens of many services, keys of this one, private keys, Authorization headers and URLs with passwords. Assistants, and the companies behind them, read every record.' }, toOptions(CREDENTIAL_POLICIES))}
<div class="actions"><button class="main">Save</button></div>
</form>
</section>
<section class="panel"><h2>Marked records</h2>
<form method="post" action="/console/account/marked">${FORM_ID}
${toSelect({ name: 'marked', label: 'When the guard marks a record', value: account.markedPolicy, hint: 'The guard refuses what it is sure is an instruction to an assistant, and marks what may be one. With a caution, assistants are warned, no brief mentions the record, and it waits in Review until somebody verifies or forgets it.' }, toOptions(MARKED_POLICIES))}
<div class="actions"><button class="main">Save</button></div>
</form>
</section>
${isOwner ? toFold('Rename', { actions: [PATH] }, toNameForm(PATH, account.name, 'Rename')) : undefined}
${isRemovable ? toRemoval(account, service.config.trashDays) : undefined}`
  return { title: 'Plan and rules', body }
}

function toRemoval({ name }: Account, trashDays: number): Html {
  return html`<section class="panel"><h2>Remove the account</h2>
<p>Its keys and connections stop working at once, and nobody in it can sign in, including you. The operator of the service can restore it for ${countOf(trashDays, 'day')}; then its people, keys, projects, records, session histories and audit log are erased for good.</p>
${toTypedRemoval('/console/account/remove', name, 'Remove')}</section>`
}

function toLimits(account: Account): Html {
  const limits = limitsOf(account)
  const rows = LIMITS.map(([limit, label, toText]) => [
    label,
    toText(limits[limit]),
    Object.hasOwn(account.limits, limit) ? 'set for this account' : 'plan',
  ])
  return toTable('Limits of the account', ['What', numeric('Limit'), 'From'], rows)
}
