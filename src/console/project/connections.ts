import type { ConnectionHolder } from '../../store/oauth.ts'
import { toButton } from '../markup/form.ts'
import { toDays, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toOlderLink } from '../markup/paging.ts'
import { ACTIONS_COLUMN, type Column, toTable } from '../markup/table.ts'
import { toHolder } from './keys.ts'

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
