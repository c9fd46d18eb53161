import { Elysia } from 'elysia'
import { BACKUPS_PATH, toBackups } from '../../console/backups.ts'
import { beginBackup, listKeptBackups, takeBackup } from '../../maintenance/kept-backups.ts'
import type { Service } from '../../service.ts'
import { action, page } from './handle.ts'
import { actionForOperator, viewForOperator } from './operator/for-operator.ts'
import { type FormState, type PageRequest, redirect, toConsolePage } from './page-request.ts'

/** The page of the service's backups, for the operator; others get status 404. */
export function backups(service: Service) {
  return new Elysia({ name: 'console/backups' })
    .get(BACKUPS_PATH, page(service, viewForOperator(showBackups)))
    .get(`${BACKUPS_PATH}/:name`, page(service, viewForOperator(download)))
    .post(BACKUPS_PATH, action(service, actionForOperator(begin)), { parse: 'none' })
}

async function showBackups(req: PageRequest, state: FormState): Promise<Response> {
  const { service, actor } = req
  const kept = await listKeptBackups(service, actor)
  const body = toBackups({ kept, isDatabase: service.config.databaseUrl !== undefined })
  return toConsolePage(req, state, { title: 'Backups', section: BACKUPS_PATH, body })
}

async function begin({ service, actor }: PageRequest): Promise<Response> {
  await beginBackup(service, actor)
  return redirect(BACKUPS_PATH, 'backup.begun')
}

async function download({ service, actor, params }: PageRequest): Promise<Response> {
  const { name, path } = await takeBackup(service, actor, params.name ?? '')
  return new Response(Bun.file(path), {
    headers: {
      'Content-Type': 'application/zstd',
      'Content-Disposition': `attachment; filename="${name}"`,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'no-store',
    },
  })
}
