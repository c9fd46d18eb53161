import { DAY_MS, toIsoTime } from '../../clock.ts'
import type { ShownRecord } from '../../memory/records/lists/shown-record.ts'
import type { Service } from '../../service.ts'
import type { StoredRecord } from '../../store/record.ts'
import { toButton } from '../markup/form.ts'
import { toDays, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { ACTIONS, long } from '../markup/table.ts'
import type { MemoryRequest } from '../page.ts'
import type { SortColumn, SortedColumn } from '../sorted-table.ts'
import { toChoiceBox } from './bulk-bar.ts'
import { toRestoreButton } from './record-buttons.ts'
import { toHeadline, toRecordPath, toSourceLink, toStatusBadges } from './record-card.ts'

/** What rows are sorted by. */
type Sortable = Pick<StoredRecord, 'id' | 'sourceId' | 'forgottenAt'> & { title: string; who: string | undefined }
/** `ofAct` is the number of records of the page that one act on many forgot, on the first of them, or else 0. */
export type Row = Sortable & { record: ShownRecord; ofAct: number }
export type TrashColumn = SortColumn<Sortable> & Pick<SortedColumn<Row>, 'cell'>

export const toSortable = (record: StoredRecord) => {
  const { id, sourceId, forgottenAt, content } = record
  return { id, sourceId, forgottenAt, title: toHeadline(content) }
}

/** Milliseconds until a record that was forgotten at this time is erased. */
export function timeLeft({ config, clock }: Pick<Service, 'config' | 'clock'>, forgottenAt: number): number {
  return forgottenAt + config.trashDays * DAY_MS - clock.now()
}

/** The columns of the trash; `back` is the address to return to after an act. */
export function toTrashColumns({ service, at, path }: MemoryRequest, back: string): TrashColumn[] {
  return [
    {
      head: long('Record'),
      cell: ({ record, title }) => toTitle(path, record, title),
      by: ({ title }) => title,
      isText: true,
    },
    {
      head: long('Source'),
      cell: ({ record: { source_id: source, workspace } }) =>
        source === null ? '–' : toSourceLink(path, workspace, source),
      by: ({ sourceId }) => sourceId,
      isText: true,
    },
    {
      head: long('Forgotten by'),
      cell: ({ who }) => (who === undefined ? '–' : html`<bdi>${who}</bdi>`),
      by: ({ who }) => who ?? null,
      isText: true,
    },
    {
      head: 'Forgotten',
      cell: ({ forgottenAt }) =>
        html`${toTime(forgottenAt)}<small class="under">${toDays(timeLeft(service, forgottenAt ?? 0))} left</small>`,
      by: ({ forgottenAt }) => forgottenAt,
    },
    {
      head: ACTIONS,
      cell: ({ record: { id, fact_key: about }, forgottenAt, ofAct }) =>
        html`${toRestoreButton({ path, back, id, about }, { look: 'plain' })}${ofAct > 1 ? toWholeAct(`${at}/bulk`, { forgottenAt: forgottenAt ?? 0, back, about }) : undefined}`,
    },
  ]
}

/** The first line of a record as a link to its page, with a box to choose it and what tells it from others. */
function toTitle(path: string, record: ShownRecord, title: string): Html {
  const { id, workspace, fact_key: key, fact_key_given: isGiven } = record
  return html`<div class="tick">${toChoiceBox(id)}<div>
<a id="h-${id}" dir="auto" href="${toRecordPath(path, id)}">${title}</a>
<small class="under">${toStatusBadges(record)} ${isGiven ? html`<code><bdi>${key}</bdi></code> ` : undefined}in <bdi>${workspace}</bdi></small></div></div>`
}

type WholeAct = { forgottenAt: number; back: string; about: string }

/** Restores what was forgotten at one moment, on further pages too; `about` is the fact key of the first record. */
function toWholeAct(action: string, { forgottenAt, back, about }: WholeAct): Html {
  const filter = new URLSearchParams({ act: toIsoTime(forgottenAt) }).toString()
  const fields = { act: 'restore', all: 'yes', confirmed: 'yes', filter, back }
  return toButton(action, 'Restore all of this act', { fields, about })
}
