import { DAY_MS } from '../../clock.ts'
import { listTrashIds } from '../../memory/records/bulk/bulk.ts'
import { listTrash, viewerOf } from '../../memory/records/lists/list-records.ts'
import type { ShownRecord } from '../../memory/records/lists/shown-record.ts'
import type { Service } from '../../service.ts'
import { countOf, toDays } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toBadge } from '../markup/table.ts'
import type { Page } from '../page.ts'
import { toOlderLink, toQueryPath } from '../paging.ts'
import { type FormState, openMemory, type PageRequest, toConsolePage } from '../request.ts'
import { changeAll, RESTORE_ACT, toBulkBar } from './bulk.ts'
import { toRecordCard, toRecordList, toRestoreButton } from './record-card.ts'

/** The page of the forgotten records of a project. */
export const trash: Page = {
  path: '/console/projects/:project/trash',
  show: showTrash,
  forms: { '/bulk': changeAll('trash', ({ service }, { caller }) => listTrashIds(service, viewerOf(caller))) },
}

export async function showTrash(req: PageRequest, state: FormState): Promise<Response> {
  const { service, url } = req
  const { project, caller, path, prepareShown } = await openMemory(req, 'read')
  const before = url.searchParams.get('before') ?? undefined
  const part = await listTrash(service, viewerOf(caller), { before })
  const toShown = await prepareShown(part.records)
  const forgotten = part.records.map((record) => ({
    record: toShown(record),
    leftMs: timeLeft(service, record.forgottenAt ?? 0),
  }))
  const section = `${path}/trash`
  const body = toTrash({
    path,
    back: toQueryPath(section, { before }),
    days: service.config.trashDays,
    forgotten: forgotten,
    older: part.older && toQueryPath(section, { before: part.older }),
  })
  return toConsolePage(req, state, { title: 'Trash', section, project, body })
}

/** Milliseconds until a record that was forgotten at this time is erased. */
export function timeLeft({ config, clock }: Pick<Service, 'config' | 'clock'>, forgottenAt: number): number {
  return forgottenAt + config.trashDays * DAY_MS - clock.now()
}

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
