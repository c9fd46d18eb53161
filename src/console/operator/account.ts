import { type Overrides, overrideLimits } from '../../account/limits/override-limits.ts'
import { limitsOf, PLANS } from '../../account/limits/plan.ts'
import { resumeAccount, suspendAccount } from '../../account/organizations/account.ts'
import { countAccounts, requireAnyAccount } from '../../account/organizations/all-accounts.ts'
import { findErasureTime, removeAccount, restoreAccount } from '../../account/organizations/remove-account.ts'
import { dropSubscription, endSubscription, subscribe } from '../../account/subscription/subscribe.ts'
import { readTime } from '../../memory/records/text-argument.ts'
import type { Account } from '../../store/account.ts'
import { LIMITS } from '../account/account.ts'
import { requireTypedName, typedValue } from '../form.ts'
import { toButton, toConfirmButton, toField, toSelect, toTypedRemoval } from '../markup/form.ts'
import { countOf, toCount, toExactTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toFacts } from '../markup/table.ts'
import { pageOf } from '../page.ts'
import { type FormState, type PageRequest, toConsolePage } from '../request.ts'
import { redirect } from '../response.ts'
import { OPERATOR_PATH, toStateBadges } from './operator.ts'

/** The page of one account, for the operator. */
export const operatedAccount = pageOf(findAccount, {
  path: `${OPERATOR_PATH}/accounts/:account`,
  show: showAccount,
  forms: {
    '/subscription': saveSubscription,
    '/subscription/end': endNow,
    '/subscription/none': takeAway,
    '/limits': saveLimits,
    '/suspend': suspend,
    '/resume': resume,
    '/remove': remove,
    '/restore': restore,
  },
  isOperators: true,
})

type AccountRequest = PageRequest & { account: Account }

async function findAccount({ service, actor, params }: PageRequest): Promise<{ account: Account }> {
  return { account: await requireAnyAccount(service, actor, params.account ?? '') }
}

async function showAccount(req: AccountRequest, state: FormState): Promise<Response> {
  const { service, visitor, account } = req
  const { id, name, subscribedAt, subscribedUntil, suspendedAt, removedAt, createdAt } = account
  const [counted = { members: 0, projects: 0 }] = await countAccounts(service, [account])
  const erasedAt = findErasureTime(service, account)
  const isOwn = id === visitor.account.id
  const body = html`<p class="back"><a href="${OPERATOR_PATH}">All accounts</a></p>
<h1><bdi>${name}</bdi></h1>
${toFacts([
  ['State', toStateBadges(account, service.clock.now())],
  ['Subscribed since', subscribedAt === null ? undefined : toExactTime(subscribedAt)],
  ['Until', subscribedAt === null ? undefined : subscribedUntil === null ? 'no end' : toExactTime(subscribedUntil)],
  ['Suspended since', suspendedAt === null ? undefined : toExactTime(suspendedAt)],
  ['Removed since', removedAt === null ? undefined : toExactTime(removedAt)],
  ['People', toCount(counted.members)],
  ['Projects', toCount(counted.projects)],
  ['Created', toExactTime(createdAt)],
  ['Id', html`<code>${id}</code>`],
])}
${
  erasedAt === undefined
    ? html`${toSubscription(account, state)}${toLimits(account, state)}${isOwn ? undefined : toSuspension(account, service.config.trashDays)}`
    : toRemoved(account, erasedAt)
}`
  return toConsolePage(req, state, { title: name, section: OPERATOR_PATH, body })
}

const toDate = (time: number | null): string => (time === null ? '' : new Date(time).toISOString().slice(0, 10))

async function saveSubscription({ service, actor, account }: AccountRequest, form: URLSearchParams): Promise<Response> {
  await subscribe(service, actor, { account, plan: form.get('plan') ?? '', until: readUntil(form, account) })
  return redirect(toAccountPath(account.id), 'subscription.saved')
}

/** The typed end. The day that the page showed is the present end, which may be a time of that day. */
function readUntil(form: URLSearchParams, { subscribedUntil }: Account): number | null {
  const typed = form.get('until')?.trim() ?? ''
  if (typed === '') return null
  return typed === toDate(subscribedUntil) ? subscribedUntil : readTime('until', typed)
}

async function endNow({ service, actor, account }: AccountRequest): Promise<Response> {
  await endSubscription(service, actor, { account, at: service.clock.now() })
  return redirect(toAccountPath(account.id), 'subscription.ended')
}

async function takeAway({ service, actor, account }: AccountRequest): Promise<Response> {
  await dropSubscription(service, actor, account)
  return redirect(toAccountPath(account.id), 'subscription.dropped')
}

async function saveLimits({ service, actor, account }: AccountRequest, form: URLSearchParams): Promise<Response> {
  const overrides: Overrides = Object.fromEntries(LIMITS.map(([limit]) => [limit, form.get(limit)?.trim() || 'plan']))
  await overrideLimits(service, actor, { account, overrides })
  return redirect(toAccountPath(account.id), 'account.limits')
}

async function suspend({ service, actor, account }: AccountRequest, form: URLSearchParams): Promise<Response> {
  requireTypedName(form, account.name)
  await suspendAccount(service, actor, account)
  return redirect(toAccountPath(account.id), 'account.suspended')
}

async function resume({ service, actor, account }: AccountRequest): Promise<Response> {
  await resumeAccount(service, actor, account)
  return redirect(toAccountPath(account.id), 'account.resumed')
}

async function remove({ service, actor, account }: AccountRequest, form: URLSearchParams): Promise<Response> {
  requireTypedName(form, account.name)
  await removeAccount(service, actor, account)
  return redirect(toAccountPath(account.id), 'account.removed')
}

async function restore({ service, actor, account }: AccountRequest): Promise<Response> {
  await restoreAccount(service, actor, account)
  return redirect(toAccountPath(account.id), 'account.restored')
}

const PLAN_OPTIONS = Object.keys(PLANS).map((name) => ({ value: name, label: name }))

/** The path of the page of an account. */
export const toAccountPath = (id: string) => `${OPERATOR_PATH}/accounts/${id}`

function toSubscription(account: Account, state: FormState): Html {
  const plan = typedValue(state, 'plan', account.plan)
  const until = typedValue(state, 'until', toDate(account.subscribedUntil))
  const at = toAccountPath(account.id)
  const ending = 'Memory is read-only for 14 days from now, and unavailable after that. Nothing is deleted.'
  const dropping = 'Memory and integrations do not work from the next call on. Nothing is deleted.'
  return html`<section class="panel"><h2>Subscription</h2>
<form method="post" action="${at}/subscription">
${toSelect({ name: 'plan', label: 'Plan', value: plan }, PLAN_OPTIONS)}
${toField({ name: 'until', label: 'Until', type: 'date', value: until, hint: 'The first moment of that day in UTC. Empty for no end.' })}
<div class="actions"><button class="main">Save</button></div>
</form>
<div class="actions">${
    account.subscribedAt === null
      ? undefined
      : html`${toConfirmButton(`${at}/subscription/end`, 'End now', ending, { about: account.name })}
${toConfirmButton(`${at}/subscription/none`, 'Remove', dropping, { about: account.name })}`
  }</div>
</section>`
}

/** A refused form shows the limits that were typed, if it has any. */
function toLimits(account: Account, state: FormState): Html {
  const ofPlan = limitsOf({ plan: account.plan, limits: {} })
  const fields = LIMITS.map(([limit, label, toText]) =>
    toField({
      name: limit,
      label,
      value: typedValue(state, limit, String(account.limits[limit] ?? '')),
      hint: `The plan has ${toText(ofPlan[limit])}.`,
      maxlength: 16,
    }),
  )
  return html`<section class="panel"><h2>Limits of its own</h2>
<p class="quiet">Whole numbers, sizes in bytes. Where a field is empty, the plan’s number holds.</p>
<form method="post" action="${toAccountPath(account.id)}/limits">
<div class="grid">
${fields}
</div>
<div class="actions"><button class="main">Save</button></div>
</form>
</section>`
}

function toSuspension(account: Account, trashDays: number): Html {
  const at = toAccountPath(account.id)
  if (account.suspendedAt !== null)
    return html`<section class="panel"><h2>Suspended</h2>
<p>Its keys, connections and people are refused. Everything saved is kept.</p>
${toButton(`${at}/resume`, 'Resume', { look: 'main', about: account.name })}</section>
${toRemoval(account, trashDays)}`
  return html`<section class="panel"><h2>Suspend</h2>
<p>Every key and connection of it is refused from the next call on, and nobody of it can sign in. Everything saved is kept, and you can take it back here. A suspended account can also be removed.</p>
${toTypedRemoval(`${at}/suspend`, account.name, 'Suspend')}</section>`
}

function toRemoval(account: Account, trashDays: number): Html {
  return html`<section class="panel"><h2>Remove the account</h2>
<p>You can restore it here for ${countOf(trashDays, 'day')}; then its people, keys, projects, records, session histories and audit log are erased for good.</p>
${toTypedRemoval(`${toAccountPath(account.id)}/remove`, account.name, 'Remove')}</section>`
}

function toRemoved({ id, name }: Account, erasedAt: number): Html {
  return html`<section class="panel"><h2>Removed</h2>
<p>Its keys, connections and people are refused. Everything of it is erased for good after ${toExactTime(erasedAt)}.</p>
${toButton(`${toAccountPath(id)}/restore`, 'Restore', { look: 'main', about: name })}</section>`
}
