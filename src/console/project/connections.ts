import type { ConnectionHolder } from '../../store/oauth.ts'
import { toConfirmButton } from '../markup/form.ts'
import { toDays, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toOlderLink } from '../markup/paging.ts'
import { type Column, toTable } from '../markup/table.ts'
import { toHolder } from './keys.ts'

type ConnectionsPage = {
  /** The path of the page. */
  at: string
  connections: ConnectionHolder[]
  older: string | undefined
  /** Whether they are of several projects. */
  ofAccount: boolean
  now: number
}

const BEFORE: Column[] = [{ label: 'Application' }, { label: 'Returns to' }, { label: 'Member and key' }]
const PROJECT: Column = { label: 'Project' }
const AFTER: Column[] = [{ label: 'Made' }, { label: 'Ends in', look: 'short' }, { label: 'Last used' }, { label: '', look: 'actions' }]
const REVOKES = 'Its assistant is refused from the next call on, and has to be connected again with a key.'

/** Hosted assistants that are connected just now. */
export function toConnections({ at, connections, older, ofAccount, now }: ConnectionsPage): Html {
  const rows = connections.map(({ connection, member, key, project }) => [
    html`<bdi>${connection.clientName || 'without a name'}</bdi>`,
    html`<bdi>${connection.clientHost}</bdi>`,
    html`${toHolder(member?.name)}<code class="under short">svc_${key.shown}…</code>`,
    ...(ofAccount ? [html`<a href="/console/projects/${project.id}/connections"><bdi>${project.name}</bdi></a>`] : []),
    toTime(connection.createdAt),
    html`${toDays(connection.expiresAt - now)}`,
    connection.lastUsedAt === null ? html`never` : toTime(connection.lastUsedAt),
    toConfirmButton(`${at}/${connection.id}/revoke`, 'Revoke', REVOKES, { about: connection.clientName || connection.clientHost }),
  ])
  return html`<h1>Connections</h1>
<p>Hosted assistants that somebody connected by entering a key. A name is only what the application calls itself; where it returns to is certain.</p>
${toTable('Connections that can be used now', ofAccount ? [...BEFORE, PROJECT, ...AFTER] : [...BEFORE, ...AFTER], rows, 'No connections.')}
${toOlderLink(older)}`
}
