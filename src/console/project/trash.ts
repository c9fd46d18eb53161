import type { ShownRecord } from '../../memory/records/shown-record.ts'
import { toDays } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toOlderLink } from '../markup/paging.ts'
import { toBadge } from '../markup/table.ts'
import { toRestoreButton } from './record-buttons.ts'
import { toRecordCard, toRecordList } from './record-card.ts'

/** A forgotten record, and the milliseconds until it is erased. */
export type ForgottenRecord = { record: ShownRecord; left: number }

/** `back` is the page's own path, to which its acts return; `days` is how long the trash keeps what is forgotten. */
export type TrashPage = { path: string; back: string; days: number; forgotten: ForgottenRecord[]; older: string | undefined }

/** What was forgotten and can be brought back. */
export function toTrash({ path, back, days, forgotten, older }: TrashPage): Html {
  const cards = forgotten.map(({ record, left }) =>
    toRecordCard(path, record, {
      note: toBadge(`${toDays(left)} left`, 'warn'),
      actions: [toRestoreButton({ path, back, id: record.id, about: record.fact_key })],
    }),
  )
  return html`<h1>Trash</h1>
<p class="quiet">What is forgotten is kept for ${days === 1 ? '1 day' : `${days} days`}, last forgotten first, and then erased for good. No search finds it.</p>
${toRecordList(cards, 'Nothing is forgotten.')}
${toOlderLink(older)}`
}
