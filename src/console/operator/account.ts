import type { MemberActor } from '../../account/auth/actor.ts'
import { type Overrides, overrideLimits } from '../../account/limits/override-limits.ts'
import { limitsOf, PLANS } from '../../account/limits/plan.ts'
import { resumeAccount, suspendAccount } from '../../account/organizations/account.ts'
import { countAccounts, requireAnyAccount } from '../../account/organizations/all-accounts.ts'
import { findErasureTime, removeAccount, restoreAccount } from '../../account/organizations/remove-account.ts'
import { dropSubscription, endSubscription, subscribe } from '../../account/subscription/subscription.ts'
import { toIsoTimeOrNull } from '../../clock.ts'
import { readTime } from '../../memory/records/text-argument.ts'
import type { Service } from '../../service.ts'
import type { Account } from '../../store/account.ts'
import { LIMITS } from '../account/account.ts'
import { pickChanged, readChanged, requireTypedName } from '../form.ts'
import { FORM_ID, toButton, toConfirmButton, toField, toSelect, toShown, toTypedRemoval } from '../markup/form.ts'
import { countOf, toCount, toExactTime, toFactTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { sameOptions, toFacts } from '../markup/table.ts'
import { done, type PageContent, type PageRequest, pageOf } from '../page.ts'
import { type Undoing, undoable } from '../response.ts'
import { OPERATOR_PATH, toStateBadges } from './operator.ts'

/** The page of one account, for the operator. */
export const operatedAccount = pageOf(findAccount, {
  path: `${OPERATOR_PATH}/accounts/:account`,
  show: showAccount,
  forms: {
    '/subscription': undoable(
      'subscription.saved',
      ({ service, actor, account }, form) => subscribe(service, actor, { account, ...readSubscription(form, account) }),
      toOldSubscription,
    ),
    '/subscription/end': undoable(
      'subscription.ended',
      ({ service, actor, account }) => endSubscription(service, actor, { account, at: service.clock.now() }),
      toOldSubscription,
    ),
    '/subscription/none': done('subscription.dropped', toAct(dropSubscription)),
    '/limits': undoable('account.limits', changeLimits, ({ account }, form) => ({
      fields: pickChanged(readChanged(form), toShownLimits(account)),
    })),
    '/suspend': undoable('account.suspended', toTypedAct(suspendAccount), undoneBy('resume')),
    '/resume': undoable('account.resumed', toAct(resumeAccount), undoneBy('suspend')),
    '/remove': undoable('account.removed', toTypedAct(removeAccount), undoneBy('restore')),
    '/restore': undoable('account.restored', toAct(restoreAccount), undoneBy('remove')),
  },
  isOperators: true,
})

type AccountRequest = PageRequest & { account: Account }

async function findAccount({ service, actor, params }: PageRequest) {
  return { account: await requireAnyAccount(service, actor, params.account ?? '') }
}

type Change = (service: Service, actor: MemberActor, account: Account) => Promise<unknown>

function toAct(change: Change) {
  return ({ service, actor, account }: AccountRequest) => change(service, actor, account)
}

/** An act that is confirmed by typing the name of the account. */
function toTypedAct(change: Change) {
  return (req: AccountRequest, form: URLSearchParams) => {
    requireTypedName(form, req.account.name)
    return toAct(change)(req)
  }
}

function undoneBy(act: string) {
  return ({ at, account }: AccountRequest): Undoing => ({ action: `${at}/${act}`, fields: { typed: account.name } })
}

/** Undefined for a subscription that there was not, or that had ended: it cannot be given again as it was. */
function toOldSubscription({ service, at, account }: AccountRequest): Undoing | undefined {
  const { plan, subscribedAt, subscribedUntil } = account
  if (subscribedAt === null || (subscribedUntil ?? Infinity) <= service.clock.now()) return undefined
  return { action: `${at}/subscription`, fields: { plan, until: toIsoTimeOrNull(subscribedUntil) ?? '' } }
}

function changeLimits({ service, actor, account }: AccountRequest, form: URLSearchParams) {
  const changed = readChanged(form)
  const overrides: Overrides = Object.fromEntries(
    LIMITS.map(([limit]) => [limit, changed.has(limit) ? changed.get(limit)?.trim() || 'plan' : undefined]),
  )
  return overrideLimits(service, actor, { account, overrides })
}

const toShownLimits = ({ limits }: Account) =>
  Object.fromEntries(LIMITS.map(([limit]) => [limit, String(limits[limit] ?? '')]))

/** The typed plan and end. The day of the present end is that end, which may be a time of that day. */
function readSubscription(form: URLSearchParams, { plan, subscribedUntil }: Account) {
  const changed = readChanged(form)
  const typed = changed.get('until')?.trim() ?? toDate(subscribedUntil)
  const until = typed === '' ? null : typed === toDate(subscribedUntil) ? subscribedUntil : readTime('until', typed)
  return { plan: changed.get('plan') ?? plan, until }
}

const toDate = (time: number | null): string => (time === null ? '' : new Date(time).toISOString().slice(0, 10))

async function showAccount({ service, visitor, at, account }: AccountRequest): Promise<PageContent> {
  const { id, name, subscribedAt, subscribedUntil, suspendedAt, removedAt, createdAt } = account
  const [counted = { members: 0, projects: 0 }] = await countAccounts(service, [account])
  const erasedAt = findErasureTime(service, account)
  const isOwn = id === visitor.account.id
  const body = html`<p class="back"><a href="${OPERATOR_PATH}">All accounts</a></p>
<h1><bdi>${name}</bdi></h1>
${toFacts([
  ['State', toStateBadges(account, service.clock.now())],
  ['Subscribed since', toFactTime(subscribedAt)],
  ['Until', subscribedAt === null ? undefined : (toFactTime(subscribedUntil) ?? 'no end')],
  ['Suspended since', toFactTime(suspendedAt)],
  ['Removed', toFactTime(removedAt)],
  ['People', toCount(counted.members)],
  ['Projects', toCount(counted.projects)],
  ['Created', toExactTime(createdAt)],
  ['Id', html`<code>${id}</code>`],
])}
${
  erasedAt === undefined
    ? html`${toSubscription(at, account)}${toLimits(at, account)}${isOwn ? undefined : toSuspension(at, account, service.config.trashDays)}`
    : toRemoved(at, account, erasedAt)
}`
  return { title: name, section: OPERATOR_PATH, body }
}

const PLAN_OPTIONS = sameOptions(Object.keys(PLANS))

function toSubscription(at: string, account: Account): Html {
  const ending = 'Memory is read-only for 14 days from now, and unavailable after that. Nothing is deleted.'
  const dropping = 'Memory and integrations do not work from the next call on. Nothing is deleted.'
  return html`<section class="panel"><h2>Subscription</h2>
<form method="post" action="${at}/subscription">${FORM_ID}${toShown({ plan: account.plan, until: toDate(account.subscribedUntil) })}
${toSelect({ name: 'plan', label: 'Plan', value: account.plan }, PLAN_OPTIONS)}
${toField({ name: 'until', label: 'Until', type: 'date', value: toDate(account.subscribedUntil), hint: 'At the beginning of that day in UTC. Leave it empty for no end.' })}
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

function toLimits(at: string, account: Account): Html {
  const ofPlan = limitsOf({ plan: account.plan, limits: {} })
  const shown = toShownLimits(account)
  const fields = LIMITS.map(([limit, label, toText]) =>
    toField({
      name: limit,
      label,
      value: shown[limit],
      hint: `Plan: ${toText(ofPlan[limit])}.`,
      maxlength: 16,
    }),
  )
  return html`<section class="panel"><h2>Limits of this account</h2>
<p class="quiet">Whole numbers; sizes in bytes. Leave a field empty for the limit of the plan.</p>
<form method="post" action="${at}/limits">${FORM_ID}${toShown(shown)}
<div class="grid">
${fields}
</div>
<div class="actions"><button class="main">Save</button></div>
</form>
</section>`
}

function toSuspension(at: string, account: Account, trashDays: number): Html {
  if (account.suspendedAt !== null)
    return html`<section class="panel"><h2>Suspended</h2>
<p>Its keys, connections and people are refused. Everything saved is kept.</p>
${toButton(`${at}/resume`, 'Resume', { look: 'main', about: account.name })}</section>
${toRemoval(at, account, trashDays)}`
  return html`<section class="panel"><h2>Suspend</h2>
<p>Its keys and connections are refused from the next call on, and its people cannot sign in. Everything saved is kept, and you can resume the account here. Once suspended, it can also be removed.</p>
${toTypedRemoval(`${at}/suspend`, account.name, 'Suspend')}</section>`
}

function toRemoval(at: string, account: Account, trashDays: number): Html {
  return html`<section class="panel"><h2>Remove the account</h2>
<p>You can restore it here for ${countOf(trashDays, 'day')}; then its people, keys, projects, records, session histories and audit log are erased for good.</p>
${toTypedRemoval(`${at}/remove`, account.name, 'Remove')}</section>`
}

function toRemoved(at: string, { name }: Account, erasedAt: number): Html {
  return html`<section class="panel"><h2>Removed</h2>
<p>Its keys, connections and people are refused. It is erased for good after ${toExactTime(erasedAt)}.</p>
${toButton(`${at}/restore`, 'Restore', { look: 'main', about: name })}</section>`
}
