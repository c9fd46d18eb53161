import { listVisibleConnections, requireVisibleConnection, revokeConnection } from '../../oauth/connection.ts'
import type { Project } from '../../store/account.ts'
import { toButton } from '../markup/form.ts'
import { toDays, toTime } from '../markup/format.ts'
import { html } from '../markup/html.ts'
import { ACTIONS, long, short, toCountedTitle, toTable } from '../markup/table.ts'
import { done, openProject, type Page, type PageContent, type PageRequest, pageOf } from '../page.ts'
import { PAGE_SIZE, paginate, readPageNumber, toPageLink } from '../paging.ts'
import { toHolder } from './keys.ts'

const ALL = '/console/connections'

/** The pages of the hosted assistants connected to one project, and to any project of the account. */
export const connections: Page[] = [ALL, '/console/projects/:project/connections'].map((path) =>
  pageOf(findPlace, {
    path,
    show: showConnections,
    forms: {
      '/:connection/revoke': done('connection.revoked', async ({ service, params, actor, project }) =>
        revokeConnection(
          service,
          actor,
          await requireVisibleConnection(service, actor, params.connection ?? '', project?.id),
        ),
      ),
    },
  }),
)

/** The project in the path; without a project, the page is of the account. */
async function findPlace(req: PageRequest) {
  return { project: req.params.project === undefined ? undefined : (await openProject(req)).project }
}

/** Connections that are counted: in slices, in about 10 ms. */
const MAX_COUNTED = 1_000

/** The hosted assistants that are currently connected. */
async function showConnections(req: PageRequest & { project: Project | undefined }): Promise<PageContent> {
  const { service, actor, url, project, at } = req
  const most = Math.max(readPageNumber(url) * PAGE_SIZE, MAX_COUNTED) + 1
  const found = await listVisibleConnections(service, actor, { projectId: project?.id, most })
  const { rows: shown, more } = paginate(req, found)
  const now = service.clock.now()
  const rows = shown.map(({ connection, member, key, project: { id, name } }) => [
    html`<bdi>${connection.clientName || 'unnamed'}</bdi>`,
    html`<bdi>${connection.clientHost}</bdi>`,
    html`${toHolder(member?.name)}<code class="under short">svc_${key.shown}…</code>`,
    ...(project === undefined ? [html`<a href="/console/projects/${id}/connections"><bdi>${name}</bdi></a>`] : []),
    toTime(connection.createdAt),
    toDays(connection.expiresAt - now),
    toTime(connection.lastUsedAt, 'never'),
    toButton(`${at}/${connection.id}/revoke`, 'Revoke', {
      look: 'danger',
      about: connection.clientName || connection.clientHost,
    }),
  ])
  const where = [
    long('Application'),
    'Returns to',
    long('Member and key'),
    ...(project === undefined ? ['Project'] : []),
  ]
  const columns = [...where, 'Created', short('Ends in'), 'Last used', ACTIONS]
  const title = project === undefined ? 'All connections' : 'Connections'
  const body = html`${toCountedTitle(title, found.length < most ? found.length : undefined)}
<p class="quiet">Hosted assistants that somebody connected with a key. An application chooses its name itself; only the host that it returns to is verified. A revoked assistant is refused from the next call on; it can be connected again with a key.</p>
${toTable('Active connections', columns, rows, 'No connections.')}
${toPageLink(more, 'Older')}`
  return { title, body }
}
