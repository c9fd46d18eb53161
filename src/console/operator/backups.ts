import type { ListedBackup } from '../../maintenance/backup-names.ts'
import { beginBackup, type KeptBackups, listKeptBackups, takeBackup } from '../../maintenance/kept-backups.ts'
import { countOf, toSize, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { ACTIONS_COLUMN, type Column, toBadge, toTable } from '../markup/table.ts'
import type { Page } from '../page.ts'
import { type FormState, type PageRequest, toConsolePage } from '../request.ts'
import { redirect } from '../response.ts'

/** The path of the page. */
export const BACKUPS_PATH = '/console/backups'

/** The page of the service's backups, for the operator; others get status 404. */
export const backups: Page = {
  path: BACKUPS_PATH,
  show: showBackups,
  views: { '/:name': download },
  forms: { '': begin },
  isOperators: true,
}

async function showBackups(req: PageRequest, state: FormState): Promise<Response> {
  const { service, actor } = req
  const kept = await listKeptBackups(service, actor)
  const body = toBackups({ kept, isDatabase: service.config.databaseUrl !== undefined })
  return toConsolePage(req, state, { title: 'Backups', section: BACKUPS_PATH, body })
}

async function begin({ service, actor }: PageRequest): Promise<Response> {
  await beginBackup(service, actor)
  return redirect(BACKUPS_PATH, 'backup.begun')
}

async function download({ service, actor, params }: PageRequest): Promise<Response> {
  const { name, path } = await takeBackup(service, actor, params.name ?? '')
  return new Response(Bun.file(path), {
    headers: {
      'Content-Type': 'application/zstd',
      'Content-Disposition': `attachment; filename="${name}"`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    },
  })
}

/** `kept` is undefined if no folder for backups is configured; `isDatabase` means that the data is in a database, which the service does not back up. */
type BackupsPage = { kept: KeptBackups | undefined; isDatabase: boolean }

const COLUMNS: Column[] = [{ label: 'Name' }, { label: 'Created' }, { label: 'Size', look: 'number' }, { label: 'State' }, ACTIONS_COLUMN]

/** The backups of the whole service, and how to make one. */
export function toBackups({ kept, isDatabase }: BackupsPage): Html {
  return html`<p class="back"><a href="/console/me">You</a></p>
<h1>Backups</h1>
${isDatabase ? toDatabaseNote() : kept === undefined ? toFolderNote() : toKept(kept)}`
}

function toDatabaseNote(): Html {
  return html`<p>The data is in a PostgreSQL database, whose own tools back it up: <code>pg_dump</code>, or copies of the whole server with its log.</p>`
}

function toFolderNote(): Html {
  return html`<p>No folder for backups is set. So the service makes one a day into its data folder, unless that is off, and hands out none here. Name a folder when you start the service:</p>
<pre class="paste">SVC_BACKUP_DIR=/var/backups/memsvc SVC_BACKUP_EVERY=6h SVC_BACKUP_KEEP=7d4w memsvc serve</pre>
<p>After that, backups are made, listed and downloaded here.</p>`
}

/** While a backup is in progress, the page polls every 2 seconds if scripts are enabled. */
function toKept({ folder, backups, more, fault, isUnderWay, failure }: KeptBackups): Html {
  const looking = html` hx-get="${BACKUPS_PATH}" hx-trigger="every 2s" hx-select="#backups" hx-swap="outerHTML"`
  return html`<p>A backup has everything that this service keeps, of every account: records, drafts and session histories of everybody. Whoever has the file can read them.</p>
<p>They are in <code>${folder}</code>. Keep copies on another machine; <code>memsvc restore</code> brings one back.</p>
<div id="backups"${isUnderWay ? looking : undefined}>
${isUnderWay ? toUnderWay() : toBegin()}
${isUnderWay || failure === undefined ? undefined : html`<p class="alarm">The last backup was not made: ${failure}</p>`}
${fault === undefined ? toList(backups) : html`<p class="alarm">The folder cannot be read (${fault}).</p>`}
${more > 0 ? html`<p class="quiet">${countOf(more, 'older one')} not shown.</p>` : undefined}
</div>`
}

function toUnderWay(): Html {
  return html`<p role="status">A backup is being made. You may leave this page; <a href="${BACKUPS_PATH}">look again</a> to see it here.</p>`
}

function toBegin(): Html {
  return html`<form method="post" action="${BACKUPS_PATH}" class="row"><button class="main">Back up now</button></form>`
}

function toList(backups: ListedBackup[]): Html {
  const rows = backups.map(({ name, madeAt, bytes, isComplete, projectId }) => [
    html`<code>${name}</code>${projectId === undefined ? undefined : html`<small class="under">of one project</small>`}`,
    toTime(madeAt),
    html`${toSize(bytes)}`,
    isComplete ? toBadge('whole', 'good') : toBadge('incomplete', 'warn'),
    html`<a class="button small" href="${BACKUPS_PATH}/${name}" aria-label="Download: ${name}">Download</a>`,
  ])
  return toTable('Backups', COLUMNS, rows, 'None yet.')
}
