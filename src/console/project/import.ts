import { Refusal } from '../../errors.ts'
import type { ImportRun } from '../../memory/imports/import-runs.ts'
import {
  beginImport,
  discardImport,
  findImport,
  MAX_FILE_BYTES,
  type NewImport,
  receivePart,
} from '../../memory/imports/receive.ts'
import { checkImport, startImport, stopImport } from '../../memory/imports/run-import.ts'
import { toButton, toField } from '../markup/form.ts'
import { countOf, toCount, toSentence, toSize } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { numeric, toFacts, toTable } from '../markup/table.ts'
import {
  type Action,
  type Answer,
  openProject,
  type PageContent,
  type PostedFile,
  type ProjectRequest,
  pageOf,
} from '../page.ts'
import { redirect } from '../response.ts'
import { FIELDS_BYTES, MAX_PART_BYTES, MAX_UPLOAD_BYTES, readPart, readUpload } from './upload.ts'

/** The page of imports into a project: a file is uploaded, checked, and imported. */
export const imports = pageOf(openProject, {
  path: '/console/projects/:project/import',
  show: showImport,
  forms: {
    '': { act: upload, read: readUpload },
    '/begin': begin,
    '/part': { act: takePart, limit: 'part by', read: readPart },
    '/check': toStep(checkImport),
    '/start': toStep(startImport),
    '/stop': toStep(stopImport),
    '/discard': toStep(discardImport),
  },
})

async function showImport({ service, actor, project, path, at }: ProjectRequest): Promise<PageContent> {
  const run = await findImport(service, actor, project.id)
  const body = html`<p class="back"><a href="${path}/settings">Settings</a></p>
<h1>Import and export</h1>
<section id="import" class="panel"${run && isUnderWay(run) ? toLooking(at) : undefined}><h2>Import</h2>
${run === undefined ? toUploadForm(at) : toRun(at, path, run)}
</section>
<section class="panel"><h2>Export</h2>
<p>All records that you may see, as JSON Lines, one record a line. Imported elsewhere, they keep their ids, times and statuses. Under <a href="${path}/records">Records</a>, any list can be downloaded the same way.</p>
<div class="actions"><a class="button" href="${path}/export" download>Download the project</a></div>
</section>`
  return { title: 'Import and export', section: `${path}/settings`, body }
}

/** Receives a whole file, and starts the check. */
async function upload(
  { service, actor, project, at }: ProjectRequest,
  form: URLSearchParams,
  { name, bytes }: PostedFile,
): Promise<Answer> {
  const { id } = await beginImport(service, actor, toNewImport(project.id, form, name, bytes.length))
  await receivePart(service, actor, { projectId: project.id, id, offset: 0, bytes })
  await checkImport(service, actor, { projectId: project.id, id })
  return redirect(at)
}

/** Starts an upload in parts by `takePart`; responds with its id. */
async function begin(req: ProjectRequest, form: URLSearchParams): Promise<Answer> {
  const input = toNewImport(req.project.id, form, form.get('file') ?? '', Number(form.get('size')))
  const { id } = await beginImport(req.service, req.actor, input)
  return Response.json({ id, part_bytes: MAX_PART_BYTES })
}

async function takePart(
  { service, actor, project }: ProjectRequest,
  form: URLSearchParams,
  { bytes }: PostedFile,
): Promise<Answer> {
  const offset = Number(form.get('offset'))
  if (!Number.isSafeInteger(offset) || offset < 0) throw new Refusal('this is not a part of a file')
  await receivePart(service, actor, { projectId: project.id, id: form.get('id') ?? '', offset, bytes })
  return new Response(null, { status: 204 })
}

/** A form that runs one step of an import. */
function toStep(step: typeof checkImport): Action<ProjectRequest> {
  return async ({ service, actor, project, at }, form) => {
    await step(service, actor, { projectId: project.id, id: form.get('id') ?? '' })
    return redirect(at)
  }
}

function toNewImport(projectId: string, form: URLSearchParams, fileName: string, size: number): NewImport {
  return { projectId, fileName, size, workspace: form.get('workspace')?.trim() || undefined }
}

/** While it is in progress, the page polls every second if scripts are enabled. */
const toLooking = (at: string) => html` hx-get="${at}" hx-trigger="every 1s" hx-select="#import" hx-swap="outerHTML"`

const isUnderWay = ({ stage }: ImportRun): boolean => stage === 'checking' || stage === 'importing'

function toUploadForm(at: string): Html {
  return html`<p>A file of JSON Lines: an export, the arguments of <code>remember</code>, or the file of <code>@modelcontextprotocol/server-memory</code>. It is checked first; nothing is saved until you confirm. The command <code>memsvc import</code> also reads Markdown notes.</p>
<form method="post" action="${at}" enctype="multipart/form-data" data-upload="${at}">
${toField({ name: 'file', label: 'File', type: 'file', required: true, hint: `${toSize(MAX_FILE_BYTES)} at most; ${toSize(MAX_UPLOAD_BYTES - FIELDS_BYTES)} in a browser without scripts.` })}
${toField({ name: 'workspace', label: 'Workspace', maxlength: 64, hint: 'For all records of the file. Leave it empty to use the one that each line names.' })}
<div class="actions"><button class="main">Check the file</button></div>
<progress max="1" value="0" hidden aria-label="Sent"></progress>
</form>`
}

function toRun(at: string, path: string, run: ImportRun): Html {
  const { fileName, size, workspace } = run
  return html`${toFacts([
    ['File', html`<bdi>${fileName}</bdi>, ${toSize(size)}`],
    ['Workspace', workspace === undefined ? undefined : html`<bdi>${workspace}</bdi>`],
  ])}
${toStage(at, path, run)}
${run.refusals.length === 0 ? undefined : toRefusals(path, run)}`
}

function toStage(at: string, path: string, run: ImportRun): Html {
  switch (run.stage) {
    case 'receiving':
      return html`<p>${toSize(run.received)} received.</p>${toDecisions(toDiscard(at, run, 'Discard'))}`
    case 'checking':
      return html`<p role="status">The file is being checked.</p>${toProgress(at, run)}`
    case 'importing':
      return html`<p role="status">The records are being imported. You may leave this page.</p>${toProgress(at, run)}`
    case 'checked':
      return toChecked(at, run)
    case 'done':
      return toEnd(at, run, html`<p class="done" role="status">The import is done.</p>`, toRecordsLink(path))
    case 'stopped':
      return toEnd(
        at,
        run,
        html`<p class="notice">The import was stopped. What was saved stays; import the same file again to go on.</p>`,
      )
    case 'failed':
      return toEnd(at, run, html`<p class="alarm" role="alert">The import failed: ${toSentence(run.failure ?? '')}</p>`)
  }
}

const toEnd = (at: string, run: ImportRun, message: Html, ...links: Html[]) =>
  html`${message}${toResult(run, 'Saved')}${toDecisions(...links, toDiscard(at, run, 'Another file'))}`

function toChecked(at: string, run: ImportRun): Html {
  const { saved } = run.counts
  const start = toButton(`${at}/start`, `Import ${countOf(saved, 'record')}`, { fields: { id: run.id }, look: 'main' })
  return html`<p role="status">Nothing is saved yet. The file has:</p>
${toResult(run, 'To be saved')}
${saved > 0 ? toDecisions(start, toDiscard(at, run, 'Discard')) : toDecisions(toDiscard(at, run, 'Another file'))}`
}

function toProgress(at: string, run: ImportRun): Html {
  const { read, size, counts } = run
  const records = counts.saved + counts.there + counts.forgotten + counts.refused
  return html`<progress max="${size}" value="${read}" aria-label="Read"></progress>
<p>${countOf(records, 'record')}, ${toCount(counts.refused)} of them refused. <a href="${at}">Refresh</a></p>
${toDecisions(toButton(`${at}/stop`, 'Stop', { fields: { id: run.id } }))}`
}

function toResult({ counts }: ImportRun, saved: string): Html {
  const { there, forgotten, refused, byUnknownAuthors } = counts
  return toFacts([
    [saved, toCount(counts.saved)],
    ['Already here', toCount(there)],
    ['Forgotten here', forgotten === 0 ? undefined : `${toCount(forgotten)}, which stay in the trash`],
    ['Refused', toCount(refused)],
    ['Under your name', byUnknownAuthors === 0 ? undefined : `${toCount(byUnknownAuthors)}, by authors unknown here`],
  ])
}

function toRefusals(path: string, { refusals, moreRefusals }: ImportRun): Html {
  const byReason = [...Map.groupBy(refusals, ({ reason }) => reason)].sort(([, a], [, b]) => b.length - a.length)
  const rows = byReason.map(([reason, lines]) => [toSentence(reason), toCount(lines.length), toPlaces(lines)])
  return html`<h3>Refused</h3>
${toTable('Lines that are refused, by reason', ['Why', numeric('Lines'), 'Where'], rows)}
<p class="quiet">Under <a href="${path}/guard">Guard</a> you can read why a text was refused, and ask for its release.</p>
${moreRefusals === 0 ? undefined : html`<p class="quiet">${countOf(moreRefusals, 'more line')} not shown.</p>`}`
}

/** Lines shown of each reason. */
const MAX_PLACES = 10

function toPlaces(lines: ImportRun['refusals']): string {
  const shown = lines.slice(0, MAX_PLACES).map(({ where }) => where)
  const more = lines.length - shown.length
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${toCount(more)} more`
}

const toDecisions = (...parts: Html[]) => html`<div class="row">${parts}</div>`

const toRecordsLink = (path: string) => html`<a class="button small" href="${path}/records">Records</a>`

const toDiscard = (at: string, { id }: ImportRun, label: string) => toButton(`${at}/discard`, label, { fields: { id } })
