import { revokeConnection } from '../../oauth/connection.ts'
import { listVisibleConnections, requireVisibleConnection } from '../../oauth/visible-connections.ts'
import type { Project } from '../../store/account.ts'
import type { ConnectionHolder } from '../../store/oauth.ts'
import { toButton } from '../markup/form.ts'
import { toDays, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { ACTIONS_COLUMN, type Column, toTable } from '../markup/table.ts'
import { type Page, pageOf } from '../page.ts'
import { PAGE_SIZE, paginate, readPageNumber, toOlderLink } from '../paging.ts'
import { type FormState, type PageRequest, toConsolePage, toProjectRequest } from '../request.ts'
import { redirect } from '../response.ts'
import { toHolder } from './keys.ts'

const ALL = '/console/connections'

/** The pages of the hosted assistants connected to one project, and to any project of the account. */
export const connections: Page[] = [ALL, '/console/projects/:project/connections'].map((path) =>
  pageOf(findPlace, { path, show: showConnections, forms: { '/:connection/revoke': revoke } }),
)

async function showConnections(req: PageRequest & Place, state: FormState): Promise<Response> {
  const { service, actor, url, project, at } = req
  const most = readPageNumber(url) * PAGE_SIZE + 1
  const { rows, more: older } = paginate(url, at, await listVisibleConnections(service, actor, { projectId: project?.id, most }))
  const body = toConnections({ at, connections: rows, older, isOfAccount: project === undefined, now: service.clock.now() })
  return toConsolePage(req, state, { title: 'Connections', section: at, project, body })
}

async function revoke({ service, params, actor, project, at }: PageRequest & Place): Promise<Response> {
  await revokeConnection(service, actor, await requireVisibleConnection(service, actor, params.connection ?? '', project?.id))
  return redirect(at, 'connection.revoked')
}

type Place = { project: Project | undefined; at: string }

/** The project in the path, and the path of its page; without a project, the page of the account. */
async function findPlace(req: PageRequest): Promise<Place> {
  if (req.params.project === undefined) return { project: undefined, at: ALL }
  const { project, path } = await toProjectRequest(req)
  return { project, at: `${path}/connections` }
}

type ConnectionsPage = {
  /** The path of the page. */
  at: string
  connections: ConnectionHolder[]
  older: string | undefined
  /** Whether the list is of the whole account, with a column for the project. */
  isOfAccount: boolean
  now: number
}

const COLUMNS: Column[] = [
  { label: 'Application', look: 'long' },
  { label: 'Returns to' },
  { label: 'Member and key', look: 'long' },
  { label: 'Project' },
  { label: 'Created' },
  { label: 'Ends in', look: 'short' },
  { label: 'Last used' },
  ACTIONS_COLUMN,
]

/** The hosted assistants that are currently connected. */
export function toConnections({ at, connections, older, isOfAccount, now }: ConnectionsPage): Html {
  const rows = connections.map(({ connection, member, key, project }) => [
    html`<bdi>${connection.clientName || 'without a name'}</bdi>`,
    html`<bdi>${connection.clientHost}</bdi>`,
    html`${toHolder(member?.name)}<code class="under short">svc_${key.shown}…</code>`,
    ...(isOfAccount ? [html`<a href="/console/projects/${project.id}/connections"><bdi>${project.name}</bdi></a>`] : []),
    toTime(connection.createdAt),
    html`${toDays(connection.expiresAt - now)}`,
    connection.lastUsedAt === null ? html`never` : toTime(connection.lastUsedAt),
    toButton(`${at}/${connection.id}/revoke`, 'Revoke', { look: 'danger', about: connection.clientName || connection.clientHost }),
  ])
  return html`<h1>Connections</h1>
<p class="quiet">Hosted assistants that somebody connected by entering a key. The name is what the application calls itself; only the address that it returns to is checked.
Once its connection is revoked, an assistant is refused from the next call on; it can be connected again with a key.</p>
${toTable(
  'Connections that can be used now',
  COLUMNS.filter(({ label }) => isOfAccount || label !== 'Project'),
  rows,
  'No connections.',
)}
${toOlderLink(older)}`
}
