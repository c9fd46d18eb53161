import type { Timeline, TimelineEvent, TimelineKind } from '../../memory/records/lists/timeline.ts'
import { phrasesOf, type StoredRecord } from '../../store/record.ts'
import type { DiffPart } from '../../text/word-diff.ts'
import { toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toDiff, toHeadline, toRecordPath } from './record-card.ts'

const LABELS: Record<TimelineKind, string> = {
  saved: 'Saved',
  'saved again': 'Saved again with the same text',
  verified: 'Verified',
  unverified: 'Verification withdrawn',
  forgotten: 'Forgotten',
  left: 'Left forgotten',
  restored: 'Restored',
  moved: 'Moved to another workspace',
  expired: 'Expired',
}

const LOOKS: Partial<Record<TimelineKind, string>> = {
  verified: 'good',
  restored: 'good',
  forgotten: 'bad',
  left: 'bad',
  expired: 'warn',
}

/**
 * The history of a record's fact, newest first, with the words in which versions differ. `path` is the path of the
 * project.
 */
export function toTimeline(
  path: string,
  record: Pick<StoredRecord, 'id' | 'seq'>,
  { events, areMore }: Timeline,
): Html {
  return html`<section><h2>History</h2>
<ol class="timeline">${events.map((event) => html`<li class="${LOOKS[event.kind] ?? 'plain'}">${toEvent(path, record, event)}</li>\n`)}</ol>
${areMore ? html`<p class="quiet">Older versions are not shown.</p>` : undefined}
</section>`
}

function toEvent(
  path: string,
  record: Pick<StoredRecord, 'id' | 'seq'>,
  { at, kind, version, who, superseded, diff }: TimelineEvent,
): Html {
  const isOwn = version.id === record.id
  const which = isOwn
    ? undefined
    : html`<a href="${toRecordPath(path, version.id)}">${version.seq < record.seq ? 'Earlier' : 'Later'} version</a>: `
  return html`<p>${which}<strong>${LABELS[kind]}</strong>${who === undefined ? undefined : html` by <bdi>${who}</bdi>`} <span class="quiet">${toTime(at)}</span></p>
${superseded.length === 0 ? undefined : html`<p class="quiet">It superseded: ${toLinks(path, superseded)}</p>`}
${toChange(kind, version, isOwn, diff)}`
}

function toLinks(path: string, versions: StoredRecord[]): Html[] {
  return versions.map(
    ({ id, content }, at) =>
      html`${at === 0 ? undefined : ', '}<a href="${toRecordPath(path, id)}"><bdi>${toHeadline(content)}</bdi></a>`,
  )
}

/** The changes of a version; its text if there is no earlier version, or they have nothing in common. */
function toChange(
  kind: TimelineKind,
  version: StoredRecord,
  isOwn: boolean,
  diff: DiffPart[] | undefined,
): Html | undefined {
  if (kind !== 'saved') return undefined
  const phrases =
    isOwn || version.askedAs === null
      ? undefined
      : html`<p class="quiet">Asked as: <bdi>${phrasesOf(version).join(' · ')}</bdi></p>`
  return html`${toTextChange(version, isOwn, diff)}${phrases}`
}

function toTextChange({ content }: StoredRecord, isOwn: boolean, diff: DiffPart[] | undefined): Html | undefined {
  if (diff !== undefined) return toDiff(diff.map((part) => ({ ...part, text: shorten(part.text) })))
  return isOwn ? undefined : html`<p class="content" dir="auto">${shorten(content)}</p>`
}

/** Number of characters (UTF-16 code units) shown of each end of a long run of words. */
const MAX_EDGE_CHARACTERS = 200

/** Shortens a long run of words to its two ends; what is left out does not differ, or is not needed to recognize it. */
function shorten(text: string): string {
  if (text.length <= 2 * MAX_EDGE_CHARACTERS) return text
  const [begin, end] = [text.slice(0, MAX_EDGE_CHARACTERS), text.slice(-MAX_EDGE_CHARACTERS)]
  return `${begin} … ${end}`.toWellFormed()
}
