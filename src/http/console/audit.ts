import { Elysia } from 'elysia'
import { nameEntries } from '../../account/named-audit.ts'
import { listVisitorAudit } from '../../account/visitor-audit.ts'
import { toAudit } from '../../console/audit.ts'
import type { Service } from '../../service.ts'
import { shows } from './handle.ts'
import { PAGE, readSeq } from './paged.ts'
import { type Said, toConsolePage, type Visit } from './visit.ts'

const PATH = '/console/audit'

/** The audit log of an account, for those who manage it. */
export function audit(service: Service) {
  return new Elysia({ name: 'console/audit' }).get(PATH, shows(service, showAudit))
}

async function showAudit(visit: Visit, said: Said): Promise<Response> {
  const { service, visitor, url } = visit
  const act = url.searchParams.get('act')?.trim() ?? ''
  const selection = { act: act || undefined, beforeSeq: readSeq(url.searchParams.get('before')) }
  const found = await listVisitorAudit(service, visitor, { ...selection, limit: PAGE + 1 })
  const entries = await nameEntries(service, visitor.account, found.slice(0, PAGE))
  const last = found.length > PAGE ? found[PAGE - 1] : undefined
  const older = last && `${PATH}?${new URLSearchParams({ act, before: String(last.seq) })}`
  return toConsolePage(visit, said, { title: 'Audit', section: PATH, body: toAudit({ entries, older, act }) })
}
