import { Elysia } from 'elysia'
import { type Overrides, overrideLimits } from '../../../account/limits/override-limits.ts'
import { resumeAccount, suspendAccount } from '../../../account/organizations/account.ts'
import { countAccounts, requireAnyAccount } from '../../../account/organizations/all-accounts.ts'
import { findErasureTime, removeAccount, restoreAccount } from '../../../account/organizations/remove-account.ts'
import { dropSubscription, endSubscription, subscribe } from '../../../account/subscription/subscribe.ts'
import { LIMITS } from '../../../console/account/account.ts'
import { toAccountPath, toOperatedAccount } from '../../../console/operator/account.ts'
import { OPERATOR_PATH } from '../../../console/operator/operator.ts'
import { readTime } from '../../../memory/records/text-argument.ts'
import type { Service } from '../../../service.ts'
import type { Account } from '../../../store/account.ts'
import { requireTypedName, typedValue } from '../form-fields.ts'
import { type Action, action, page } from '../handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage } from '../page-request.ts'
import { actionForOperator, viewForOperator } from './for-operator.ts'

const PATH = `${OPERATOR_PATH}/accounts/:account`

/** The page of one account, for the operator. */
export function operatedAccount(service: Service) {
  const view = viewForOperator(showAccount)
  const raw = { parse: 'none' } as const
  const change = (act: Action) => action(service, actionForOperator(act), view)
  return new Elysia({ name: 'console/operator/account' })
    .get(PATH, page(service, view))
    .post(`${PATH}/subscription`, change(saveSubscription), raw)
    .post(`${PATH}/subscription/end`, change(endNow), raw)
    .post(`${PATH}/subscription/none`, change(takeAway), raw)
    .post(`${PATH}/limits`, change(saveLimits), raw)
    .post(`${PATH}/suspend`, change(suspend), raw)
    .post(`${PATH}/resume`, change(resume), raw)
    .post(`${PATH}/remove`, change(remove), raw)
    .post(`${PATH}/restore`, change(restore), raw)
}

const requireNamed = ({ service, actor, params }: PageRequest) => requireAnyAccount(service, actor, params.account ?? '')

async function showAccount(req: PageRequest, state: FormState): Promise<Response> {
  const { service, visitor } = req
  const account = await requireNamed(req)
  const [counted] = await countAccounts(service, [account])
  const body = toOperatedAccount({
    counted: counted ?? { account, members: 0, projects: 0 },
    now: service.clock.now(),
    plan: typedValue(state, 'plan', account.plan),
    until: typedValue(state, 'until', toDate(account.subscribedUntil)),
    limits: toTypedLimits(state, account),
    isOwn: account.id === visitor.account.id,
    erasedAt: findErasureTime(service, account),
    trashDays: service.config.trashDays,
  })
  return toConsolePage(req, state, { title: account.name, section: OPERATOR_PATH, body })
}

/** The typed limits of a refused form; those stored if another form of the page was refused, which posts no limits. */
function toTypedLimits(state: FormState, { limits }: Account) {
  const typed = LIMITS.map(([limit]) => [limit, typedValue(state, limit, String(limits[limit] ?? ''))])
  return Object.fromEntries(typed) as Record<(typeof LIMITS)[number][0], string>
}

const toDate = (time: number | null): string => (time === null ? '' : new Date(time).toISOString().slice(0, 10))

async function saveSubscription(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const account = await requireNamed(req)
  await subscribe(req.service, req.actor, { account, plan: form.get('plan') ?? '', until: readUntil(form, account) })
  return redirect(toAccountPath(account.id), 'subscription.saved')
}

/** The typed end. The day that the page showed is the present end, which may be a time of that day. */
function readUntil(form: URLSearchParams, { subscribedUntil }: Account): number | null {
  const typed = form.get('until')?.trim() ?? ''
  if (typed === '') return null
  return typed === toDate(subscribedUntil) ? subscribedUntil : readTime('until', typed)
}

async function endNow(req: PageRequest): Promise<Response> {
  const account = await requireNamed(req)
  await endSubscription(req.service, req.actor, { account, at: req.service.clock.now() })
  return redirect(toAccountPath(account.id), 'subscription.ended')
}

async function takeAway(req: PageRequest): Promise<Response> {
  const account = await requireNamed(req)
  await dropSubscription(req.service, req.actor, account)
  return redirect(toAccountPath(account.id), 'subscription.dropped')
}

async function saveLimits(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const account = await requireNamed(req)
  const overrides: Overrides = Object.fromEntries(LIMITS.map(([limit]) => [limit, form.get(limit)?.trim() || 'plan']))
  await overrideLimits(req.service, req.actor, { account, overrides })
  return redirect(toAccountPath(account.id), 'account.limits')
}

async function suspend(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const account = await requireNamed(req)
  requireTypedName(form, account.name)
  await suspendAccount(req.service, req.actor, account)
  return redirect(toAccountPath(account.id), 'account.suspended')
}

async function resume(req: PageRequest): Promise<Response> {
  const account = await requireNamed(req)
  await resumeAccount(req.service, req.actor, account)
  return redirect(toAccountPath(account.id), 'account.resumed')
}

async function remove(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const account = await requireNamed(req)
  requireTypedName(form, account.name)
  await removeAccount(req.service, req.actor, account)
  return redirect(toAccountPath(account.id), 'account.removed')
}

async function restore(req: PageRequest): Promise<Response> {
  const account = await requireNamed(req)
  await restoreAccount(req.service, req.actor, account)
  return redirect(toAccountPath(account.id), 'account.restored')
}
