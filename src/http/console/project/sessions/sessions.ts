import { Elysia } from 'elysia'
import { toQueryPath } from '../../../../console/markup/paging.ts'
import { ASSISTANT_NAMES, toSessions } from '../../../../console/project/sessions/list.ts'
import { eraseAllSessions } from '../../../../history/erase/erase.ts'
import { listSessions, readHistoryState } from '../../../../history/read/list-sessions.ts'
import type { Service } from '../../../../service.ts'
import { action, page } from '../../handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage, toProjectRequest } from '../../page-request.ts'
import { PAGE_SIZE } from '../../paging.ts'

const PATH = '/console/projects/:project/sessions'

/** The list of the sessions that the visitor has uploaded. */
export function sessions(service: Service) {
  return new Elysia({ name: 'console/sessions' })
    .get(PATH, page(service, showSessions))
    .post(`${PATH}/erase`, action(service, eraseAll, showSessions), { parse: 'none' })
}

async function showSessions(req: PageRequest, state: FormState): Promise<Response> {
  const { service, actor, url } = req
  const { project, path } = await toProjectRequest(req)
  const at = `${path}/sessions`
  const filter = { assistant: readAssistant(url.searchParams.get('assistant')), subagents: url.searchParams.has('subagents') }
  const asked = { assistant: filter.assistant || undefined, subagents: filter.subagents, limit: PAGE_SIZE }
  const before = url.searchParams.get('before') ?? undefined
  const { sessions: found, next } = await listSessions(service, actor, { projectId: project.id, before, ...asked })
  const query = { assistant: filter.assistant, subagents: filter.subagents ? 'yes' : '' }
  const body = toSessions({
    at,
    sessions: found,
    older: next === undefined ? undefined : toQueryPath(at, { ...query, before: next }),
    state: await readHistoryState(service, actor, project.id),
    days: service.config.historyDays,
    filter,
  })
  return toConsolePage(req, state, { title: 'Sessions', section: at, project, body })
}

/** Unknown names of assistants are ignored. */
const readAssistant = (text: string | null) => (text !== null && Object.hasOwn(ASSISTANT_NAMES, text) ? text : '')

async function eraseAll(req: PageRequest): Promise<Response> {
  const { project, path } = await toProjectRequest(req)
  await eraseAllSessions(req.service, req.actor, { projectId: project.id })
  return redirect(`${path}/sessions`, 'history.erased')
}
