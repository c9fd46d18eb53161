import { Elysia } from 'elysia'
import { confirmHistoryAccess } from '../../../../account/auth/history-access.ts'
import type { Html } from '../../../../console/markup/html.ts'
import { toQueryPath } from '../../../../console/markup/paging.ts'
import { toConfirmation } from '../../../../console/project/sessions/confirmation.ts'
import { ASSISTANT_NAMES, toSessions } from '../../../../console/project/sessions/list.ts'
import { eraseAllSessions } from '../../../../history/erase/erase.ts'
import { type HistoryState, listSessions, readHistoryState } from '../../../../history/read/list-sessions.ts'
import type { Service } from '../../../../service.ts'
import type { Project } from '../../../../store/account.ts'
import { action, page } from '../../handle.ts'
import { type FormState, type PageRequest, redirect, toConsolePage, toProjectRequest } from '../../page-request.ts'
import { PAGE_SIZE } from '../../paging.ts'

const PATH = '/console/projects/:project/sessions'

/** The list of the sessions that the visitor has uploaded. */
export function sessions(service: Service) {
  return new Elysia({ name: 'console/sessions' })
    .get(PATH, page(service, showSessions))
    .post(`${PATH}/erase`, action(service, eraseAll, showSessions), { parse: 'none' })
    .post(`${PATH}/confirm`, action(service, confirm, showSessions), { parse: 'none' })
}

async function showSessions(req: PageRequest, state: FormState): Promise<Response> {
  const { service, actor } = req
  const { project, path } = await toProjectRequest(req)
  const at = `${path}/sessions`
  const histories = await readHistoryState(service, actor, project.id)
  const access = actor.member.historyAccess
  const isOpen = access === 'confirmed' || histories.sessions === 0
  const body = isOpen ? await toList(req, project, at, histories) : toConfirmation({ at, isWithheld: access === 'withheld' })
  return toConsolePage(req, state, { title: 'Sessions', section: at, project, body })
}

async function toList({ service, actor, url }: PageRequest, project: Project, at: string, state: HistoryState): Promise<Html> {
  const filter = { assistant: readAssistant(url.searchParams.get('assistant')), subagents: url.searchParams.has('subagents') }
  const asked = { assistant: filter.assistant || undefined, subagents: filter.subagents, limit: PAGE_SIZE }
  const before = url.searchParams.get('before') ?? undefined
  const isEmpty = state.sessions === 0
  const page = isEmpty ? NO_SESSIONS : await listSessions(service, actor, { projectId: project.id, before, ...asked })
  const query = { assistant: filter.assistant, subagents: filter.subagents ? 'yes' : '' }
  const older = page.next === undefined ? undefined : toQueryPath(at, { ...query, before: page.next })
  return toSessions({ at, sessions: page.sessions, older, state, days: service.config.historyDays, filter })
}

const NO_SESSIONS = { sessions: [], next: undefined }

/** Unknown names of assistants are ignored. */
const readAssistant = (text: string | null) => (text !== null && Object.hasOwn(ASSISTANT_NAMES, text) ? text : '')

async function eraseAll(req: PageRequest): Promise<Response> {
  const { project, path } = await toProjectRequest(req)
  await eraseAllSessions(req.service, req.actor, { projectId: project.id })
  return redirect(`${path}/sessions`, 'history.erased')
}

async function confirm(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const { path } = await toProjectRequest(req)
  await confirmHistoryAccess(req.service, req.actor, form.get('code') ?? '')
  return redirect(`${path}/sessions`, 'history.confirmed')
}
