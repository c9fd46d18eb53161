import type { ImportRun } from '../../memory/imports/import-runs.ts'
import { toButton, toField } from '../markup/form.ts'
import { countOf, toCount, toSize } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toSentence } from '../markup/sentence.ts'
import { toFacts, toTable } from '../markup/table.ts'

type ImportPage = {
  /** The path of the page. */
  at: string
  /** The path of the project. */
  path: string
  run: ImportRun | undefined
  /** The value of the form. */
  workspace: string
  /** Maximum size of a file in bytes, with scripts and without. */
  maxBytes: number
  maxBytesAtOnce: number
}

/** Import of records from a file, and export to a file. */
export function toImport(page: ImportPage): Html {
  const { at, path, run } = page
  return html`<p class="back"><a href="${path}/settings">Settings</a></p>
<h1>Import and export</h1>
<section id="import" class="panel"${run && isUnderWay(run) ? toLooking(at) : undefined}><h2>Import</h2>
${run === undefined ? toUploadForm(page) : toRun(at, path, run)}
</section>
<section class="panel"><h2>Export</h2>
<p>All records that you may see, as JSON Lines, one record a line. Imported elsewhere, they keep their ids, times and states. Under <a href="${path}/records">Records</a>, any list can be downloaded the same way.</p>
<div class="actions"><a class="button" href="${path}/export" download>Download the project</a></div>
</section>`
}

/** While it is in progress, the page polls every second if scripts are enabled. */
const toLooking = (at: string) => html` hx-get="${at}" hx-trigger="every 1s" hx-select="#import" hx-swap="outerHTML"`

const isUnderWay = ({ stage }: ImportRun): boolean => stage === 'checking' || stage === 'importing'

function toUploadForm({ at, workspace, maxBytes, maxBytesAtOnce }: ImportPage): Html {
  return html`<p>A file of JSON Lines: an export, the arguments of <code>remember</code>, or the file of <code>@modelcontextprotocol/server-memory</code>. It is checked first, and nothing is saved until you have seen what would be. The command <code>memsvc import</code> also reads Markdown notes.</p>
<form method="post" action="${at}" enctype="multipart/form-data" data-upload="${at}">
${toField({ name: 'file', label: 'File', type: 'file', required: true, hint: `${toSize(maxBytes)} at most; ${toSize(maxBytesAtOnce)} in a browser without scripts.` })}
${toField({ name: 'workspace', label: 'Workspace', value: workspace, maxlength: 64, hint: 'For all records of the file. Without one, each goes to the workspace that its line names.' })}
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
      return html`<p>${toSize(run.received)} of it have arrived.</p>${toDecisions(toDiscard(at, run, 'Discard'))}`
    case 'checking':
      return html`<p role="status">The file is being checked.</p>${toProgress(at, run)}`
    case 'importing':
      return html`<p role="status">The records are being imported. You may leave this page.</p>${toProgress(at, run)}`
    case 'checked':
      return toChecked(at, run)
    case 'done':
      return html`<p class="done" role="status">The import is done.</p>${toResult(run, 'Saved')}${toDecisions(toRecordsLink(path), toDiscard(at, run, 'Another file'))}`
    case 'stopped':
      return html`<p class="notice">It was stopped. What it had saved stays; the same file again goes on from there.</p>${toResult(run, 'Saved')}${toDecisions(toDiscard(at, run, 'Another file'))}`
    case 'failed':
      return html`<p class="alarm" role="alert">The import has ended: ${toSentence(run.failure ?? '')}</p>${toResult(run, 'Saved')}${toDecisions(toDiscard(at, run, 'Another file'))}`
  }
}

function toChecked(at: string, run: ImportRun): Html {
  const { saved } = run.counts
  const start = toButton(`${at}/start`, `Import ${countOf(saved, 'record')}`, { fields: { id: run.id }, look: 'main' })
  return html`<p role="status">Nothing is saved yet. This is what would be:</p>
${toResult(run, 'To be saved')}
${saved > 0 ? toDecisions(start, toDiscard(at, run, 'Discard')) : toDecisions(toDiscard(at, run, 'Another file'))}`
}

function toProgress(at: string, run: ImportRun): Html {
  const { read, size, counts } = run
  const records = counts.saved + counts.there + counts.forgotten + counts.refused
  return html`<progress max="${size}" value="${read}" aria-label="Read"></progress>
<p>${countOf(records, 'record')}, ${toCount(counts.refused)} of them refused. <a href="${at}">Look again</a></p>
${toDecisions(toButton(`${at}/stop`, 'Stop', { fields: { id: run.id } }))}`
}

function toResult({ counts }: ImportRun, saved: string): Html {
  const { there, forgotten, refused, byUnknownAuthors } = counts
  const orNone = (count: number) => (count === 0 ? undefined : toCount(count))
  return toFacts([
    [saved, toCount(counts.saved)],
    ['Here already', toCount(there)],
    ['Forgotten here', forgotten === 0 ? undefined : `${toCount(forgotten)}, which stay so; the trash has them`],
    ['Refused', toCount(refused)],
    ['Under your name', byUnknownAuthors === 0 ? undefined : `${orNone(byUnknownAuthors)}, whose authors the account does not know`],
  ])
}

function toRefusals(path: string, { refusals, moreRefusals }: ImportRun): Html {
  const rows = refusals.map(({ where, reason }) => [html`${where}`, html`${toSentence(reason)}`])
  return html`<h3>Refused</h3>
${toTable('Lines that are refused', [{ label: 'Where', look: 'short' }, { label: 'Why' }], rows, '')}
<p class="quiet">Why the Security Guard rejects a text is said under <a href="${path}/guard">Guard</a>, where its release can be asked for.</p>
${moreRefusals === 0 ? undefined : html`<p class="quiet">${countOf(moreRefusals, 'more line')} not shown.</p>`}`
}

const toDecisions = (...parts: Html[]) => html`<div class="row">${parts}</div>`

const toRecordsLink = (path: string) => html`<a class="button small" href="${path}/records">Records</a>`

const toDiscard = (at: string, { id }: ImportRun, label: string) => toButton(`${at}/discard`, label, { fields: { id } })
