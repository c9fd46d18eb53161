import { Elysia } from 'elysia'
import { isOperatingMember } from '../../account/auth/authorize.ts'
import { BACKUPS_PATH, toBackups } from '../../console/backups.ts'
import { toNotFoundPage } from '../../console/error-pages.ts'
import { beginBackup, listKeptBackups, takeBackup } from '../../maintenance/kept-backups.ts'
import type { Service } from '../../service.ts'
import { action, page, type View } from './handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage } from './page-request.ts'

/** The page of the service's backups, for the operator; for everybody else there is none. */
export function backups(service: Service) {
  return new Elysia({ name: 'console/backups' })
    .get(BACKUPS_PATH, page(service, forOperator(showBackups)))
    .get(`${BACKUPS_PATH}/:name`, page(service, forOperator(download)))
    .post(
      BACKUPS_PATH,
      action(service, (req) => forOperator(begin)(req, {})),
      { parse: 'none' },
    )
}

/** Answers everybody but the operator as a path that leads nowhere does. */
function forOperator(view: View): View {
  return async (req, state) => {
    if (await isOperatingMember(req.service.store.control, req.visitor)) return view(req, state)
    return toConsolePage(req, {}, { title: 'Not done', section: '', body: toNotFoundPage(), status: 404 })
  }
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
