import { Elysia } from 'elysia'
import { requireManager, requireOwner } from '../../../account/auth/authorize.ts'
import { renameAccount } from '../../../account/organizations/account.ts'
import { toAccount } from '../../../console/account/account.ts'
import type { Service } from '../../../service.ts'
import { typedValue } from '../form-fields.ts'
import { action, page } from '../handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage } from '../page-request.ts'

const PATH = '/console/account'

/** The page of the account's plan, limits and name, for owners and admins. */
export function account(service: Service) {
  return new Elysia({ name: 'console/account' })
    .get(PATH, page(service, showAccount))
    .post(PATH, action(service, rename, showAccount), { parse: 'none' })
}

async function showAccount(req: PageRequest, state: FormState): Promise<Response> {
  const { account, member } = req.visitor
  requireManager(req.actor, req.visitor.account.id)
  const name = typedValue(state, 'name', account.name)
  const body = toAccount({ account, now: req.service.clock.now(), name, isOwner: member.role === 'owner' })
  return toConsolePage(req, state, { title: 'Account', section: PATH, body })
}

async function rename({ service, visitor, actor }: PageRequest, form: URLSearchParams): Promise<Response> {
  requireOwner(actor, visitor.account.id)
  await renameAccount(service, visitor.account, form.get('name') ?? '', actor)
  return redirect(PATH, 'account.renamed')
}
