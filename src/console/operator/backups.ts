import type { ListedBackup } from '../../maintenance/backup-names.ts'
import { beginBackup, type KeptBackups, listKeptBackups, takeBackup } from '../../maintenance/kept-backups.ts'
import { FORM_ID } from '../markup/form.ts'
import { countOf, toSize, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { ACTIONS, numeric, toBadge, toCountedHeading, toTable } from '../markup/table.ts'
import { type Answer, done, type Page, type PageContent, type PageRequest } from '../page.ts'

/** The path of the page. */
export const BACKUPS_PATH = '/console/backups'

/** The page of the service's backups, for the operator; others get status 404. */
export const backups: Page = {
  path: BACKUPS_PATH,
  show: showBackups,
  views: { '/:name': download },
  forms: { '': done('backup.begun', ({ service, actor }) => beginBackup(service, actor)) },
  isOperators: true,
}

async function download({ service, actor, params }: PageRequest): Promise<Answer> {
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

/** The backups of the whole service, and how to make one. */
async function showBackups({ service, actor }: PageRequest): Promise<PageContent> {
  const kept = await listKeptBackups(service, actor)
  const note = service.config.databaseUrl === undefined ? FOLDER_NOTE : DATABASE_NOTE
  const body = html`<p class="back"><a href="/console/me">You</a></p>
<h1>Backups</h1>
${kept === undefined || note === DATABASE_NOTE ? note : toKept(kept)}`
  return { title: 'Backups', body }
}

const DATABASE_NOTE = html`<p>The data is in a PostgreSQL database, whose own tools back it up: <code>pg_dump</code>, or copies of the whole server with its log.</p>`

const FOLDER_NOTE = html`<p>No folder for backups is set. The service makes one a day in its data folder, unless that is off, but offers none here. Set a folder when you start the service:</p>
<pre class="paste">SVC_BACKUP_DIR=/var/backups/memsvc SVC_BACKUP_EVERY=6h SVC_BACKUP_KEEP=7d4w memsvc serve</pre>
<p>Then backups are made, listed and downloaded here.</p>`

/** While a backup is in progress, the page polls every 2 seconds if scripts are enabled. */
function toKept({ folder, backups, more, fault, isUnderWay, failure }: KeptBackups): Html {
  const looking = html` hx-get="${BACKUPS_PATH}" hx-trigger="every 2s" hx-select="#backups" hx-swap="outerHTML"`
  return html`<p>A backup holds everything of all accounts: records, drafts and session histories of everybody. Whoever has the file can read it.</p>
<p>Backups are in <code>${folder}</code>. Keep copies on another machine; <code>memsvc restore</code> restores one.</p>
<div id="backups"${isUnderWay ? looking : undefined}>
${isUnderWay ? UNDER_WAY : BEGIN}
${isUnderWay || failure === undefined ? undefined : html`<p class="alarm">The last backup failed: ${failure}</p>`}
<section>${toCountedHeading('In the folder', backups.length + more)}
${fault === undefined ? toList(backups) : html`<p class="alarm">The folder cannot be read (${fault}).</p>`}
${more > 0 ? html`<p class="quiet">${countOf(more, 'older one')} not shown.</p>` : undefined}
</section>
</div>`
}

const UNDER_WAY = html`<p role="status">A backup is being made. You may leave this page. <a href="${BACKUPS_PATH}">Refresh</a></p>`

const BEGIN = html`<form method="post" action="${BACKUPS_PATH}" class="row">${FORM_ID}<button class="main">Back up now</button></form>`

function toList(backups: ListedBackup[]): Html {
  const rows = backups.map(({ name, madeAt, bytes, isComplete, projectId }) => [
    html`<code>${name}</code>${projectId === undefined ? undefined : html`<small class="under">of one project</small>`}`,
    toTime(madeAt),
    toSize(bytes),
    isComplete ? toBadge('complete', 'good') : toBadge('incomplete', 'warn'),
    html`<a class="button small" href="${BACKUPS_PATH}/${name}" aria-label="Download: ${name}">Download</a>`,
  ])
  return toTable('Backups', ['Name', 'Created', numeric('Size'), 'State', ACTIONS], rows, 'None yet.')
}
