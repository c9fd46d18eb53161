import { mayManage, requireManager } from '../../account/auth/actor.ts'
import { listVisibleProjects } from '../../account/organizations/project-access.ts'
import { CALL_REASONS, explainReason } from '../../account/usage/call-reasons.ts'
import {
  type CallErrorFilter,
  countCallErrors,
  listCallErrors,
  listCalledTools,
  type NamedCallError,
} from '../../account/usage/visible-call-errors.ts'
import { readEnd } from '../../memory/records/lists/record-filter.ts'
import { readTime } from '../../memory/records/text-argument.ts'
import type { Project } from '../../store/account.ts'
import { readFiltered } from '../form.ts'
import type { Option } from '../markup/form.ts'
import { toCount, toSentence, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import {
  ANY,
  anyOf,
  type Filter,
  long,
  namedOptions,
  short,
  toBadge,
  toChips,
  toCountedTitle,
  toDayFilters,
  toFilterFold,
  toTable,
} from '../markup/table.ts'
import { openProject, type Page, type PageContent, type PageRequest, pageOf } from '../page.ts'
import { countListed, PAGE_SIZE, readPlace, readQuery, toPageLink, toQueryPath } from '../paging.ts'

/** The page of the calls of all projects, which integrations link to. */
export const ALL_CALLS = '/console/calls'

/** The calls that were refused or failed: of one project, and of all projects of the account. */
export const calls: Page[] = [ALL_CALLS, '/console/projects/:project/calls'].map((path) =>
  pageOf(findPlace, { path, show: showCalls }),
)

const VIEWS = { refused: ['', 'Refused and failed'], unanswered: ['/unanswered', 'Unanswered'] } as const

/** Links to both views of a project's calls. */
export function toCallViews(path: string, current: keyof typeof VIEWS): Html {
  const links = Object.entries(VIEWS).map(
    ([name, [below, label]]) =>
      html`<a href="${path}/calls${below}"${name === current ? html` aria-current="true"` : undefined}>${label}</a>\n`,
  )
  return html`<nav class="periods" aria-label="View">${links}</nav>`
}

type CallsRequest = PageRequest & { project: Project | undefined }
type Query = Record<'key' | 'person' | 'tool' | 'integration' | 'outcome' | 'why' | 'since' | 'until', string>

/** The project in the path; without a project, the page is of the account, for who manages it. */
async function findPlace(req: PageRequest) {
  if (req.params.project !== undefined) return { project: (await openProject(req)).project }
  requireManager(req.actor, req.actor.account.id)
  return { project: undefined }
}

async function showCalls(req: CallsRequest): Promise<PageContent> {
  const { service, actor, at, url, project } = req
  const query: Query = readQuery(url.searchParams, [
    'key',
    'person',
    'tool',
    'integration',
    'outcome',
    'why',
    'since',
    'until',
  ])
  const { found, refused } = await readFiltered(() => readPage(req, query))
  const filters = await toFilters(req, query)
  const count = await countListed({ url, query }, found, () => countCallErrors(service, actor, project?.id))
  const body = html`${toCountedTitle('Calls', count)}
${project && toCallViews(`/console/projects/${project.id}`, 'refused')}
<p class="quiet">Tool calls that were refused or failed in the last 30 days${project === undefined ? ', in all projects' : undefined}. What was asked and answered is not kept. A call is listed within a minute.</p>
<form method="get" action="${at}" class="search head">
${toFilterFold(filters)}
</form>
${toChips(at, filters)}
${found && toLines(req, query, found)}`
  return { title: 'Calls', body, refused }
}

/** Throws a Refusal that names the filter at fault. */
function readPage({ service, actor, url, project }: CallsRequest, query: Query) {
  const { key, person, tool, integration, outcome, why, since, until } = query
  const filter: CallErrorFilter = {
    projectId: project?.id,
    keyId: key || undefined,
    authorId: person || undefined,
    tool: tool || undefined,
    integration: integration || undefined,
    outcome: outcome === 'refused' || outcome === 'failed' ? outcome : undefined,
    reason: why || undefined,
    from: since === '' ? undefined : readTime('since', since),
    until: until === '' ? undefined : readEnd('until', until) + 1,
  }
  return listCallErrors(service, actor, actor.account.id, filter, {
    before: readPlace(url.searchParams.get('before')),
    limit: PAGE_SIZE,
  })
}

async function toFilters({ service, actor, visitor, project }: CallsRequest, query: Query): Promise<Filter[]> {
  const { control } = service.store
  const manages = mayManage(visitor.member)
  const { tools, integrations } = await listCalledTools(service, actor, project)
  const members = manages
    ? await control.list('members', { accountId: actor.account.id, removedAt: null }, { by: 'name', limit: 200 })
    : []
  const key = query.key === '' ? undefined : await control.find('keys', { id: query.key })
  const projects = project === undefined ? await listVisibleProjects(service, visitor) : [project]
  const isOpen = projects.some(({ id }) => id === key?.projectId)
  const isKey = key !== undefined && isOpen && (manages || key.memberId === visitor.member.id)
  const toChoice = (name: keyof Query, label: string, options: Option[]): Filter => ({
    name,
    label,
    value: query[name],
    options,
  })
  return [
    toChoice('outcome', 'Outcome', anyOf(['refused', 'failed'])),
    toChoice('why', 'Why', [ANY, ...Object.entries(CALL_REASONS).map(([value, { why }]) => ({ value, label: why }))]),
    toChoice('tool', 'Tool', anyOf(tools)),
    ...(integrations.length > 0 || query.integration !== ''
      ? [toChoice('integration', 'Integration', anyOf(integrations))]
      : []),
    ...(manages ? [toChoice('person', 'Who', [ANY, ...namedOptions(members)])] : []),
    ...(query.key === ''
      ? []
      : [toChoice('key', 'Key', [ANY, { value: query.key, label: isKey ? key.label : query.key }])]),
    ...toDayFilters(query),
  ]
}

const COLUMNS = ['When', long('Who'), long('Tool'), short('Outcome'), long('Why, and what to do')]

function toLines(req: CallsRequest, query: Query, { rows, older, isCut }: Awaited<ReturnType<typeof readPage>>): Html {
  const isNarrowed = Object.values(query).some((value) => value !== '')
  const empty = isCut
    ? 'No such call among the newest.'
    : isNarrowed
      ? 'No such call.'
      : 'No call was refused or failed.'
  const isSampled = rows.some(({ calls }) => calls > 1)
  const cells = rows.map((error) => [
    toTime(error.at),
    toCaller(error),
    html`<code>${error.tool}</code>${req.project === undefined ? html`<small class="under">in <bdi>${error.project}</bdi></small>` : undefined}`,
    html`${error.outcome === 'failed' ? toBadge('failed', 'bad') : toBadge('refused', 'warn')}${
      error.calls > 1 ? html`<small class="under">one in ${toCount(error.calls)}</small>` : undefined
    }`,
    toReason(req, error),
  ])
  return html`${isSampled ? html`<p class="notice">On a day with more than 10,000 of these calls, only one in 100 of the rest is listed.</p>` : undefined}
${toTable('Calls that were refused or failed', COLUMNS, cells, empty)}
${isCut ? html`<p class="quiet">Only the newest calls were searched; <em>Older</em> goes on.</p>` : undefined}
${toPageLink(older && toQueryPath(req.at, { ...query, before: `${older.at}-${older.seq}` }), 'Older')}`
}

function toCaller({ projectId, keyId, key, person }: NamedCallError): Html {
  return html`<bdi>${person ?? 'service key'}</bdi><small class="under"><a href="/console/projects/${projectId}/keys/${keyId}"><bdi>${key}</bdi></a></small>`
}

function toReason({ visitor }: CallsRequest, error: NamedCallError): Html {
  const { why, mend } = explainReason(error.reason)
  const page = findPage(error)
  const link =
    page !== undefined && (page.isForAll || mayManage(visitor.member))
      ? html` <a href="${page.path}">${page.label}</a>`
      : undefined
  return html`<div>${toSentence(why)}<small class="under">${mend}${link}</small></div>`
}

type MendingPage = { path: string; label: string; isForAll?: boolean }

/** The page on which the reason can be mended, for owners and admins alone unless it is for all. */
function findPage({ reason, tool, projectId }: NamedCallError): MendingPage | undefined {
  const slug = reason.startsWith('integration.') ? tool.split('.')[0] : undefined
  if (slug !== undefined) return { path: `/console/integrations/${slug}`, label: 'Integration' }
  const at = `/console/projects/${projectId}`
  const pages: Record<string, MendingPage> = {
    guard: { path: `${at}/guard`, label: 'Guard', isForAll: true },
    unauthorized: { path: `${at}/keys`, label: 'Keys', isForAll: true },
    credential: { path: '/console/account', label: 'Plan and rules' },
    subscription: { path: '/console/account', label: 'Plan and rules' },
    memory_limit: { path: `${at}/settings`, label: 'Settings' },
  }
  return pages[reason]
}
