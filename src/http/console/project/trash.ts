import { Elysia } from 'elysia'
import { DAY_MS } from '../../../clock.ts'
import { toQueryPath } from '../../../console/markup/paging.ts'
import { toTrash } from '../../../console/project/trash.ts'
import { listTrash, viewerOf } from '../../../memory/records/lists/list-records.ts'
import type { Service } from '../../../service.ts'
import { page } from '../handle.ts'
import { type FormState, type PageRequest, toConsolePage } from '../page-request.ts'
import { openMemory } from './project-memory.ts'

/** The page of the forgotten records of a project. */
export function trash(service: Service) {
  return new Elysia({ name: 'console/trash' }).get('/console/projects/:project/trash', page(service, showTrash))
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
