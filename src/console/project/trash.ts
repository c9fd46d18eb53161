import type { ShownRecord } from '../../memory/records/lists/shown-record.ts'
import { countOf, toDays } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toOlderLink } from '../markup/paging.ts'
import { toBadge } from '../markup/table.ts'
import { RESTORE_ACT, toBulkBar } from './records/bulk.ts'
import { toRecordCard, toRecordList, toRestoreButton } from './records/record-card.ts'

/** A forgotten record, and the milliseconds until it is erased. */
type ForgottenRecord = { record: ShownRecord; leftMs: number }

type TrashPage = {
  /** The path of the project. */
  path: string
  /** The path of this page, to which its actions return. */
  back: string
  /** Number of days the trash keeps a record. */
  days: number
  forgotten: ForgottenRecord[]
  older: string | undefined
}

/** The forgotten records that can still be restored. */
export function toTrash({ path, back, days, forgotten, older }: TrashPage): Html {
  const cards = forgotten.map(({ record, leftMs }) =>
    toRecordCard(path, record, {
      isChoosable: true,
      note: toBadge(`${toDays(leftMs)} left`, 'warn'),
      actions: [toRestoreButton({ path, back, id: record.id, about: record.fact_key }, { look: 'plain' })],
    }),
  )
  return html`<h1>Trash</h1>
<p class="quiet">What is forgotten is kept for ${countOf(days, 'day')}, last forgotten first, and then erased for good. No search finds it.</p>
<h2 class="hidden">Forgotten records</h2>
${toRecordList(cards, 'Nothing is forgotten.')}
${toOlderLink(older)}
${cards.length === 0 ? undefined : toBulkBar({ action: `${path}/trash/bulk`, fields: { back }, all: 'All of the trash', acts: RESTORE_ACT })}`
}
