import { actorNames, nameEvents } from '../../account/audit/named-events.ts'
import { type AuditFilter, listAuditChoices, listVisibleEvents } from '../../account/audit/visible-audit.ts'
import { requireMember } from '../../account/organizations/member.ts'
import { listVisibleProjects } from '../../account/organizations/project-access.ts'
import { yieldIfDue } from '../../cooperative.ts'
import { Refusal } from '../../errors.ts'
import { readEnd } from '../../memory/records/lists/record-filter.ts'
import { readTime } from '../../memory/records/text-argument.ts'
import { visibleTo } from '../../memory/visibility.ts'
import type { AuditEntry } from '../../store/audit.ts'
import type { Page } from '../page.ts'
import { PAGE_SIZE, readPlace, toQueryPath } from '../paging.ts'
import { type FormState, type PageRequest, toConsolePage } from '../request.ts'
import { downloadAudit } from './audit-csv.ts'
import { AUDIT_PATH, type AuditOptions, type AuditQuery, toAudit } from './audit-list.ts'

/** The page of the audit log, for owners and admins, and the same as CSV. */
export const audit: Page = {
  path: AUDIT_PATH,
  show: showAudit,
  views: { '.csv': async (req) => downloadAudit(req, await toFilter(req, readQuery(req))) },
}

async function showAudit(req: PageRequest, state: FormState): Promise<Response> {
  const query = readQuery(req)
  const options = await readOptions(req)
  const { shown, refused } = await readShown(req, query)
  const body = toAudit({ shown, query, options })
  return toConsolePage(req, refused ?? state, { title: 'Audit', section: AUDIT_PATH, body })
}

function readQuery({ url }: PageRequest): AuditQuery {
  const text = (name: string) => url.searchParams.get(name)?.trim() ?? ''
  return { act: text('act'), person: text('person'), project: text('project'), since: text('since'), until: text('until') }
}

async function readOptions(req: PageRequest): Promise<AuditOptions> {
  const { service, visitor, actor } = req
  const { acts, actors, areMore } = await listAuditChoices(service, actor)
  const nameOf = await actorNames(service, actors)
  const people = actors.map((value) => ({ value, label: nameOf(value) })).sort((a, b) => a.label.localeCompare(b.label))
  const projects = (await listVisibleProjects(service, visitor)).map(({ id, name }) => ({ value: id, label: name }))
  return { acts, people: areMore ? undefined : people, projects }
}

/** The events that match the query, or the reason why it was refused. */
async function readShown(req: PageRequest, query: AuditQuery) {
  const { service, visitor, actor, url } = req
  try {
    const filter = await toFilter(req, query)
    const before = readPlace(url.searchParams.get('before'))
    const { entries, older, isCut } = await listVisibleEvents(service, actor, filter, { before, limit: PAGE_SIZE })
    const paths = await findRecordPaths(req, entries)
    const lines = (await nameEvents(service, visitor.account, entries)).map((line, at) => ({ ...line, recordPath: paths[at] }))
    return { shown: { lines, older: older && toQueryPath(AUDIT_PATH, { ...query, before: `${older.at}-${older.seq}` }), isCut } }
  } catch (error) {
    if (!(error instanceof Refusal) || error.field === undefined) throw error
    return { shown: { error: error.message }, refused: { error: error.message, field: error.field } }
  }
}

/** Throws a Refusal that names the field at fault. */
async function toFilter(req: PageRequest, { act, person, project, since, until }: AuditQuery): Promise<AuditFilter> {
  return {
    act: act || undefined,
    actor: person === '' ? undefined : await toActorId(req, person),
    projectId: project || undefined,
    from: since === '' ? undefined : readTime('since', since),
    until: until === '' ? undefined : readEnd('until', until) + 1,
  }
}

async function toActorId({ service, visitor, actor }: PageRequest, person: string): Promise<string> {
  if (!person.includes('@')) return person
  return `member:${(await requireMember(service, actor, person, visitor.account)).id}`
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** For each event, the path of the record it is about; undefined if there is none, or the visitor may not see it. */
export async function findRecordPaths(req: PageRequest, entries: AuditEntry[]): Promise<(string | undefined)[]> {
  const { service, visitor } = req
  const open = new Set((await listVisibleProjects(service, visitor)).map(({ id }) => id))
  const visible = visibleTo({ authorId: visitor.member.id, departmentId: visitor.member.departmentId ?? undefined })
  const paths: (string | undefined)[] = []
  for (const { act, projectId, target } of entries) {
    const isRecord = act.startsWith('record.') && projectId !== null && open.has(projectId) && target !== null && ID.test(target)
    await yieldIfDue()
    const found = isRecord ? await service.store.project(projectId).findRecord(visible, target, { forgotten: true }) : undefined
    paths.push(found && `/console/projects/${projectId}/records/${found.id}`)
  }
  return paths
}
