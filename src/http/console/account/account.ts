import { Elysia } from 'elysia'
import { readAccount, renameAccount } from '../../../account/organizations/account.ts'
import { changePolicy, type PolicyKind } from '../../../account/organizations/policies.ts'
import { isFirstAccount, removeAccount } from '../../../account/organizations/remove-account.ts'
import { toAccount } from '../../../console/account/account.ts'
import type { Service } from '../../../service.ts'
import { requireTypedName, typedValue } from '../form-fields.ts'
import { action, page } from '../handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage } from '../page-request.ts'

const PATH = '/console/account'

/** The page of the account's plan, limits and name, for owners and admins. */
export function account(service: Service) {
  return new Elysia({ name: 'console/account' })
    .get(PATH, page(service, showAccount))
    .post(PATH, action(service, rename, showAccount), { parse: 'none' })
    .post(`${PATH}/credentials`, action(service, setPolicy('credentials'), showAccount), { parse: 'none' })
    .post(`${PATH}/marked`, action(service, setPolicy('marked'), showAccount), { parse: 'none' })
    .post(`${PATH}/remove`, action(service, remove, showAccount), { parse: 'none' })
}

async function showAccount(req: PageRequest, state: FormState): Promise<Response> {
  const { service } = req
  const account = await readAccount(service, req.actor, req.visitor.account.id)
  const name = typedValue(state, 'name', account.name)
  const isOwner = req.visitor.member.role === 'owner'
  const mayRemove = isOwner && !(await isFirstAccount(service.store.control, account))
  const body = toAccount({ account, now: service.clock.now(), name, isOwner, mayRemove, trashDays: service.config.trashDays })
  return toConsolePage(req, state, { title: 'Account', section: PATH, body })
}

/** The act of the form that sets a policy. */
function setPolicy(kind: PolicyKind) {
  return async ({ service, visitor, actor }: PageRequest, form: URLSearchParams): Promise<Response> => {
    await changePolicy(service, actor, { account: visitor.account, kind, policy: form.get(kind) ?? '' })
    return redirect(PATH, `account.${kind}`)
  }
}

async function rename({ service, visitor, actor }: PageRequest, form: URLSearchParams): Promise<Response> {
  await renameAccount(service, actor, { account: visitor.account, name: form.get('name') ?? '' })
  return redirect(PATH, 'account.renamed')
}

/** Nobody of the account is signed in afterwards. */
async function remove({ service, visitor, actor }: PageRequest, form: URLSearchParams): Promise<Response> {
  requireTypedName(form, visitor.account.name)
  await removeAccount(service, actor, visitor.account)
  return redirect('/console', 'account.removed')
}
