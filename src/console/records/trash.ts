import { DAY_MS } from '../../clock.ts'
import { listTrashIds } from '../../memory/records/bulk/bulk.ts'
import { listTrash, viewerOf } from '../../memory/records/lists/list-records.ts'
import type { Service } from '../../service.ts'
import { countOf, toDays } from '../markup/format.ts'
import { html } from '../markup/html.ts'
import { toBadge } from '../markup/table.ts'
import { type MemoryRequest, openForReading, type PageContent, pageOf } from '../page.ts'
import { toPageLink, toQueryPath } from '../paging.ts'
import { changeAll, RESTORE_ACT, toBulkBar } from './bulk.ts'
import { toRecordCard, toRecordList, toRestoreButton } from './record-card.ts'

/** The page of the forgotten records of a project. */
export const trash = pageOf(openForReading, {
  path: '/console/projects/:project/trash',
  show: showTrash,
  forms: { '/bulk': changeAll(({ service, caller }) => listTrashIds(service, viewerOf(caller))) },
})

/** Milliseconds until a record that was forgotten at this time is erased. */
export function timeLeft({ config, clock }: Pick<Service, 'config' | 'clock'>, forgottenAt: number): number {
  return forgottenAt + config.trashDays * DAY_MS - clock.now()
}

/** The forgotten records that can still be restored. */
async function showTrash({ service, url, at, path, caller, prepareShown }: MemoryRequest): Promise<PageContent> {
  const before = url.searchParams.get('before') ?? undefined
  const back = toQueryPath(at, { before })
  const { records, older } = await listTrash(service, viewerOf(caller), { before })
  const toShown = await prepareShown(records)
  const cards = records.map((stored) => {
    const record = toShown(stored)
    return toRecordCard(path, record, {
      isChoosable: true,
      note: toBadge(`${toDays(timeLeft(service, stored.forgottenAt ?? 0))} left`, 'warn'),
      actions: [toRestoreButton({ path, back, id: record.id, about: record.fact_key }, { look: 'plain' })],
    })
  })
  const body = html`<h1>Trash</h1>
<p class="quiet">What is forgotten is kept for ${countOf(service.config.trashDays, 'day')}, last forgotten first, and then erased for good. No search finds it.</p>
<h2 class="hidden">Forgotten records</h2>
${toRecordList(cards, 'Nothing is forgotten.')}
${toPageLink(older && toQueryPath(at, { before: older }), 'Older')}
${cards.length === 0 ? undefined : toBulkBar({ action: `${at}/bulk`, fields: { back }, all: 'All of the trash', acts: RESTORE_ACT })}`
  return { title: 'Trash', body }
}
