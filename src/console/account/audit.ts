import { stringify } from 'csv-stringify/sync'
import { actorNames, type NamedEvent, nameBatches, nameEvents } from '../../account/audit/named-events.ts'
import {
  type AuditFilter,
  countVisibleEvents,
  exportVisibleEvents,
  listAuditChoices,
  listVisibleEvents,
} from '../../account/audit/visible-audit.ts'
import { requireMember } from '../../account/organizations/member.ts'
import { listVisibleProjects } from '../../account/organizations/project-access.ts'
import { readEnd } from '../../memory/records/lists/record-filter.ts'
import { readTime } from '../../memory/records/text-argument.ts'
import { visibleTo } from '../../memory/visibility.ts'
import type { AuditEntry } from '../../store/audit.ts'
import { readFiltered } from '../form.ts'
import { ANY, anyOf, type Filter, namedOptions, toDayFilters } from '../markup/table.ts'
import type { Page, PageContent, PageRequest } from '../page.ts'
import { countListed, PAGE_SIZE, readPlace, readQuery, toQueryPath } from '../paging.ts'
import { toDownload } from '../response.ts'
import { AUDIT_PATH, type AuditQuery, type AuditRecord, toAudit } from './audit-list.ts'
import { toActLabel } from './audit-sentences.ts'

/** The page of the audit log, for owners and admins, and the same as CSV. */
export const audit: Page = {
  path: AUDIT_PATH,
  show: showAudit,
  views: { '.csv': async (req) => downloadAudit(req, await toFilter(req, readAuditQuery(req))) },
}

const readAuditQuery = ({ url }: PageRequest): AuditQuery =>
  readQuery(url.searchParams, ['kind', 'act', 'person', 'outcome', 'project', 'since', 'until'])

async function showAudit(req: PageRequest): Promise<PageContent> {
  const query = readAuditQuery(req)
  const { found, refused } = await readFiltered(() => readShown(req, query))
  const { service, actor, url } = req
  const count = await countListed({ url, query }, found, () => countVisibleEvents(service, actor))
  return { title: 'Audit', body: toAudit(query, await toFilters(req, query), { shown: found, count }), refused }
}

const OUTCOMES = ['done', 'refused', 'failed'] as const

const toKind = (act: string) => act.split('.', 1)[0] ?? act

/** The filters with the choices that there are; a text field for the person if there are too many. */
async function toFilters({ service, visitor, actor }: PageRequest, query: AuditQuery): Promise<Filter[]> {
  const { kind, act, person, outcome, project } = query
  const { acts, actors, areMore } = await listAuditChoices(service, actor)
  const nameOf = await actorNames(service, actors)
  const known = acts.includes(act) || act === '' ? acts : [act, ...acts]
  const people = actors.map((value) => ({ value, label: nameOf(value) })).sort((a, b) => a.label.localeCompare(b.label))
  const projects = namedOptions(await listVisibleProjects(service, visitor))
  return [
    {
      name: 'kind',
      label: 'Kind',
      value: kind,
      options: anyOf([...new Set([...acts, ...(kind ? [kind] : [])].map(toKind))]),
    },
    {
      name: 'act',
      label: 'What',
      value: act,
      options: [ANY, ...known.map((value) => ({ value, label: toActLabel(value) }))],
    },
    { name: 'outcome', label: 'Outcome', value: outcome, options: anyOf(OUTCOMES) },
    areMore
      ? { name: 'person', label: 'Who, by e-mail address', chip: 'Who', value: person, maxlength: 320 }
      : { name: 'person', label: 'Who', value: person, options: [ANY, ...people] },
    { name: 'project', label: 'Project', value: project, options: [ANY, ...projects] },
    ...toDayFilters(query),
  ]
}

async function readShown(req: PageRequest, query: AuditQuery) {
  const { service, visitor, actor, url } = req
  const filter = await toFilter(req, query)
  const before = readPlace(url.searchParams.get('before'))
  const { rows: entries, older, isCut } = await listVisibleEvents(service, actor, filter, { before, limit: PAGE_SIZE })
  const records = await findRecords(req, entries)
  const rows = (await nameEvents(service, visitor.account, entries)).map((line, at) => ({
    ...line,
    record: records[at],
  }))
  return { rows, older: older && toQueryPath(AUDIT_PATH, { ...query, before: `${older.at}-${older.seq}` }), isCut }
}

/** Throws a Refusal that names the field at fault. */
async function toFilter(
  req: PageRequest,
  { kind, act, person, outcome, project, since, until }: AuditQuery,
): Promise<AuditFilter> {
  return {
    kind: kind || undefined,
    act: act || undefined,
    outcome: OUTCOMES.find((one) => one === outcome),
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

/** For each event, the record it is about; undefined if there is none, or the visitor may not see it. */
async function findRecords(
  { service, visitor }: PageRequest,
  entries: AuditEntry[],
): Promise<(AuditRecord | undefined)[]> {
  const open = new Set((await listVisibleProjects(service, visitor)).map(({ id }) => id))
  const visible = visibleTo({ authorId: visitor.member.id, departmentId: visitor.member.departmentId ?? undefined })
  const records: (AuditRecord | undefined)[] = []
  for (const { act, projectId, target } of entries) {
    const isRecord =
      act.startsWith('record.') && projectId !== null && open.has(projectId) && target !== null && ID.test(target)
    const found = isRecord
      ? await service.store.project(projectId).findRecord(visible, target, { forgotten: true })
      : undefined
    const path = `/console/projects/${projectId}/records/${found?.id}`
    records.push(found && { path, content: found.content, sourceId: found.sourceId })
  }
  return records
}

const HEADINGS = ['time', 'who', 'actor', 'act', 'outcome', 'on', 'target', 'project', 'project_id', 'from', 'details']

/** The audit log as CSV (RFC 4180), streamed at the client's pace. */
function downloadAudit(req: PageRequest, filter: AuditFilter): Response {
  const batches = exportVisibleEvents(req.service, req.actor, filter)
  const day = new Date(req.service.clock.now()).toISOString().slice(0, 10)
  return toDownload(req.service, {
    pieces: toPieces(req, batches),
    type: 'text/csv',
    name: `memsvc-audit-${day}`,
    extension: 'csv',
  })
}

async function* toPieces(
  { service, visitor }: PageRequest,
  batches: AsyncIterable<AuditEntry[]>,
): AsyncGenerator<string, void> {
  yield toCsv([HEADINGS])
  for await (const events of nameBatches(service, visitor.account, batches)) {
    yield toCsv(events.map(toRow))
  }
}

function toRow({
  at,
  who,
  act,
  outcome,
  target,
  project,
  via,
  details,
  entry,
}: NamedEvent): (string | null | undefined)[] {
  const { actor, target: id, projectId } = entry
  return [
    new Date(at).toISOString(),
    who,
    actor,
    act,
    outcome,
    target,
    id,
    project,
    projectId,
    via,
    JSON.stringify(details),
  ]
}

/** Values that a spreadsheet would interpret as formulas are prefixed with an apostrophe. */
const toCsv = (rows: (string | null | undefined)[][]) =>
  stringify(rows, { escape_formulas: true, record_delimiter: 'windows' })
