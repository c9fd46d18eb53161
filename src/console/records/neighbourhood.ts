import type { ShownRecord } from '../../memory/records/lists/shown-record.ts'
import { type Html, html } from '../markup/html.ts'
import { toTable } from '../markup/table.ts'
import { toHeadline, toRecordPath, toStatusBadges } from './record-card.ts'

/** Records related to one, by kind of relation. */
export type Relation = { label: string; records: ShownRecord[]; areMore: boolean }

/** Sizes in units of the picture, which are pixels if it is not scaled. */
const WIDTH = 320
const ROW_HEIGHT = 24
const ROOT = { x: 12, y: 14 }
const INDENT = 34
const TEXT_INDENT = 46

/**
 * The records around one: a picture with links, and the same as a table for the keyboard and screen readers. Undefined
 * if it has none. `path` is the path of the project.
 */
export function toNeighbourhood(path: string, relations: Relation[]): Html | undefined {
  const present = relations.filter(({ records }) => records.length > 0)
  if (present.length === 0) return undefined
  return html`<section><h2>Related records</h2>
${toPicture(path, present)}
<details><summary>As a table</summary>${toTable('Related records', ['Relation', 'Record'], toRows(path, present))}</details>
</section>`
}

function toRows(path: string, relations: Relation[]) {
  return relations.flatMap(({ label, records }) =>
    records.map((record) => [
      label,
      html`<div><a href="${toRecordPath(path, record.id)}"><bdi>${toHeadline(record.content)}</bdi></a><div class="meta">${toStatusBadges(record)}</div></div>`,
    ]),
  )
}

type Placed = { y: number; content: Html }

/** A tree: from the record, each relation and each of its records branches off. */
function toPicture(path: string, relations: Relation[]): Html {
  const rows: Placed[] = []
  const nextY = () => ROOT.y + (rows.length + 1) * ROW_HEIGHT
  for (const { label, records, areMore } of relations) {
    rows.push({
      y: nextY(),
      content: html`<text class="relation" x="${ROOT.x + 14}" y="${nextY() + 5}">${label}${areMore ? ', and more' : undefined}</text>`,
    })
    for (const record of records) rows.push({ y: nextY(), content: toNode(path, record, nextY()) })
  }
  const height = nextY() - ROW_HEIGHT + ROOT.y
  return html`<svg class="around" viewBox="0 0 ${WIDTH} ${height}" aria-hidden="true" focusable="false">
<path class="stem" d="M${ROOT.x} ${ROOT.y}V${height - ROOT.y - 8}"/>
<circle class="root" cx="${ROOT.x}" cy="${ROOT.y}" r="6"/><text class="self" x="${ROOT.x + 14}" y="${ROOT.y + 5}">This record</text>
${rows.map(({ content }) => content)}
</svg>`
}

function toNode(path: string, record: ShownRecord, y: number): Html {
  const look = record.forgotten_at === null ? record.status : 'forgotten'
  // The inner SVG clips text that is still too wide.
  return html`<path class="stem" d="M${ROOT.x} ${y - 8}Q${ROOT.x} ${y} ${ROOT.x + 8} ${y}H${INDENT}"/>
<a href="${toRecordPath(path, record.id)}" tabindex="-1"><circle class="${look}" cx="${INDENT}" cy="${y}" r="4.5"/><svg x="${TEXT_INDENT}" y="${y - ROW_HEIGHT / 2}" width="${WIDTH - TEXT_INDENT}" height="${ROW_HEIGHT}"><text y="${ROW_HEIGHT / 2 + 5}">${shorten(toHeadline(record.content))}</text></svg></a>
`
}

/** Number of characters of a headline that fit in most fonts. */
const MAX_SHOWN_CHARACTERS = 34

const shorten = (text: string): string =>
  text.length <= MAX_SHOWN_CHARACTERS ? text : `${text.slice(0, MAX_SHOWN_CHARACTERS - 1).trimEnd()}…`.toWellFormed()
