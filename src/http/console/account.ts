import { Elysia } from 'elysia'
import { renameAccount } from '../../account/account.ts'
import { requireManager, requireOwner } from '../../account/rights.ts'
import { toAccount } from '../../console/account.ts'
import type { Service } from '../../service.ts'
import { shows, takes } from './handle.ts'
import { type Said, toConsolePage, toPlace, type Visit } from './visit.ts'

const PATH = '/console/account'

/** An account's plan, limits and name, for those who manage it. */
export function account(service: Service) {
  return new Elysia({ name: 'console/account' })
    .get(PATH, shows(service, showAccount))
    .post(PATH, takes(service, rename, showAccount), { parse: 'none' })
}

async function showAccount(visit: Visit, said: Said): Promise<Response> {
  const { account, member } = visit.visitor
  requireManager(visit.visitor)
  const name = said.given?.get('name') ?? account.name
  const body = toAccount({ account, now: visit.service.clock.now(), name, owns: member.role === 'owner' })
  return toConsolePage(visit, said, { title: 'Account', section: PATH, body })
}

async function rename({ service, visitor, by }: Visit, form: URLSearchParams): Promise<Response> {
  requireOwner(visitor)
  await renameAccount(service, visitor.account, form.get('name') ?? '', by)
  return toPlace(PATH, 'account.renamed')
}
