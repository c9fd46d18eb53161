import { Elysia } from 'elysia'
import { nameEvents } from '../../../account/audit/named-events.ts'
import { listVisibleEvents } from '../../../account/audit/visible-audit.ts'
import { toAudit } from '../../../console/account/audit.ts'
import type { Service } from '../../../service.ts'
import { page } from '../handle.ts'
import { type FormState, type PageRequest, toConsolePage } from '../page-request.ts'
import { PAGE_SIZE, readSeq } from '../paging.ts'

const PATH = '/console/audit'

/** The page of the audit log, for owners and admins. */
export function audit(service: Service) {
  return new Elysia({ name: 'console/audit' }).get(PATH, page(service, showAudit))
}

async function showAudit(req: PageRequest, state: FormState): Promise<Response> {
  const { service, visitor, actor, url } = req
  const act = url.searchParams.get('act')?.trim() ?? ''
  const selection = { act: act || undefined, beforeSeq: readSeq(url.searchParams.get('before')) }
  const found = await listVisibleEvents(service, actor, { ...selection, limit: PAGE_SIZE + 1 })
  const entries = await nameEvents(service, visitor.account, found.slice(0, PAGE_SIZE))
  const last = found.length > PAGE_SIZE ? found[PAGE_SIZE - 1] : undefined
  const older = last && `${PATH}?${new URLSearchParams({ act, before: String(last.seq) })}`
  return toConsolePage(req, state, { title: 'Audit', section: PATH, body: toAudit({ entries, older, act }) })
}
