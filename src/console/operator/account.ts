import { type Limits, limitsOf, PLANS } from '../../account/limits/plan.ts'
import type { CountedAccount } from '../../account/organizations/all-accounts.ts'
import { LIMITS } from '../account/account.ts'
import { toButton, toConfirmButton, toField, toSelect, toTypedRemoval } from '../markup/form.ts'
import { countOf, toCount, toExactTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toFacts } from '../markup/table.ts'
import { OPERATOR_PATH, toStateBadges } from './operator.ts'

type AccountPage = {
  counted: CountedAccount
  now: number
  /** The values of the forms, as typed or as stored. */
  plan: string
  until: string
  limits: Record<keyof Limits, string>
  /** Whether it is the visitor's own, which they cannot suspend. */
  isOwn: boolean
  /** When it is erased; undefined unless it is removed. */
  erasedAt: number | undefined
  trashDays: number
}

const PLAN_OPTIONS = Object.keys(PLANS).map((name) => ({ value: name, label: name }))

/** The path of the page of an account. */
export const toAccountPath = (id: string) => `${OPERATOR_PATH}/accounts/${id}`

/** The operator's page of an account: plan and subscription, limits, and suspension. */
export function toOperatedAccount(page: AccountPage): Html {
  const { counted, now, isOwn, erasedAt } = page
  const { account, members, projects } = counted
  const { id, name, subscribedAt, subscribedUntil, suspendedAt, removedAt, createdAt } = account
  return html`<p class="back"><a href="${OPERATOR_PATH}">All accounts</a></p>
<h1><bdi>${name}</bdi></h1>
${toFacts([
  ['State', toStateBadges(account, now)],
  ['Subscribed since', subscribedAt === null ? undefined : toExactTime(subscribedAt)],
  ['Until', subscribedAt === null ? undefined : subscribedUntil === null ? 'no end' : toExactTime(subscribedUntil)],
  ['Suspended since', suspendedAt === null ? undefined : toExactTime(suspendedAt)],
  ['Removed since', removedAt === null ? undefined : toExactTime(removedAt)],
  ['People', toCount(members)],
  ['Projects', toCount(projects)],
  ['Created', toExactTime(createdAt)],
  ['Id', html`<code>${id}</code>`],
])}
${erasedAt === undefined ? html`${toSubscription(page)}${toLimits(page)}${isOwn ? undefined : toSuspension(page)}` : toRemoved(account, erasedAt)}`
}

function toSubscription({ counted: { account }, plan, until }: AccountPage): Html {
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

function toLimits({ counted: { account }, limits }: AccountPage): Html {
  const ofPlan = limitsOf({ plan: account.plan, limits: {} })
  const fields = LIMITS.map(([limit, label, toText]) =>
    toField({ name: limit, label, value: limits[limit], hint: `The plan has ${toText(ofPlan[limit])}.`, maxlength: 16 }),
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

function toSuspension(page: AccountPage): Html {
  const { account } = page.counted
  const at = toAccountPath(account.id)
  if (account.suspendedAt !== null)
    return html`<section class="panel"><h2>Suspended</h2>
<p>Its keys, connections and people are refused. Everything saved is kept.</p>
${toButton(`${at}/resume`, 'Resume', { look: 'main', about: account.name })}</section>
${toRemoval(page)}`
  return html`<section class="panel"><h2>Suspend</h2>
<p>Every key and connection of it is refused from the next call on, and nobody of it can sign in. Everything saved is kept, and you can take it back here. A suspended account can also be removed.</p>
${toTypedRemoval(`${at}/suspend`, account.name, 'Suspend')}</section>`
}

function toRemoval({ counted: { account }, trashDays }: AccountPage): Html {
  return html`<section class="panel"><h2>Remove the account</h2>
<p>You can restore it here for ${countOf(trashDays, 'day')}; then its people, keys, projects, records, session histories and audit log are erased for good.</p>
${toTypedRemoval(`${toAccountPath(account.id)}/remove`, account.name, 'Remove')}</section>`
}

function toRemoved({ id, name }: CountedAccount['account'], erasedAt: number): Html {
  return html`<section class="panel"><h2>Removed</h2>
<p>Its keys, connections and people are refused. Everything of it is erased for good after ${toExactTime(erasedAt)}.</p>
${toButton(`${toAccountPath(id)}/restore`, 'Restore', { look: 'main', about: name })}</section>`
}
