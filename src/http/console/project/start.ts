import { Elysia } from 'elysia'
import { issueKey } from '../../../account/keys/issue-key.ts'
import { readArrival } from '../../../account/keys/last-use.ts'
import { listVisibleKeys, requireVisibleKey } from '../../../account/keys/visible-keys.ts'
import { MINUTE_MS } from '../../../clock.ts'
import { toQueryPath } from '../../../console/markup/paging.ts'
import { type Awaited, HOSTED, toStart, toStartIssued } from '../../../console/project/start.ts'
import { type KeyHolder, requireKeyHolder } from '../../../mcp-clients.ts'
import type { Service } from '../../../service.ts'
import type { Key } from '../../../store/key.ts'
import { newFormId, onceForDoubleSubmit } from '../double-submit.ts'
import { typedValue } from '../form-fields.ts'
import { action, page } from '../handle.ts'
import { type FormState, type PageRequest, redirect, toBaseUrl, toConsolePage, toProjectRequest } from '../page-request.ts'
import { PAGE_SIZE } from '../paging.ts'

const PATH = '/console/projects/:project/start'
const DEFAULT_CLIENT = 'claude-code'
/** How long an open page polls for the first call. */
const MAX_LOOKING_MS = 15 * MINUTE_MS

/** The page of the first steps in a project. */
export function start(service: Service) {
  return new Elysia({ name: 'console/start' })
    .get(PATH, page(service, showStart))
    .get(`${PATH}/first-call`, page(service, showFirstCall))
    .post(PATH, action(service, onceForDoubleSubmit(issue), showStart), { parse: 'none' })
}

async function showStart(req: PageRequest, state: FormState): Promise<Response> {
  const { project, path } = await toProjectRequest(req)
  const key = await findAwaitedKey(req)
  const awaited = key && (await readAwaited(req, key, readSince(req)))
  const body = toStart({ path, client: typedValue(state, 'client', DEFAULT_CLIENT), formId: newFormId(req), awaited })
  return toConsolePage(req, state, { title: 'Getting started', section: `${path}/keys`, project, body })
}

/** Polled by an open page until the first call has arrived. The response is empty while nothing has changed. */
async function showFirstCall(req: PageRequest): Promise<Response> {
  const { path } = await toProjectRequest(req)
  const key = await findAwaitedKey(req)
  if (key === undefined || req.request.headers.get('hx-request') === null) return redirect(toQueryPath(`${path}/start`, { key: key?.id }))
  const { usedAt, isConnected, since } = await readAwaited(req, key, readSince(req))
  const isSame = usedAt === undefined && !isConnected && since !== undefined
  return isSame ? new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } }) : showStart(req, {})
}

async function issue(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const { service, actor, visitor } = req
  const { project, path } = await toProjectRequest(req)
  const client = readClient(form.get('client') ?? DEFAULT_CLIENT)
  const { key, secret } = await issueKey(service, actor, {
    project,
    label: client.name,
    member: visitor.member,
    toolNames: client.toolNames,
  })
  const awaited = await readAwaited(req, key, service.clock.now())
  const body = toStartIssued({ path, secret, client: client.id, baseUrl: toBaseUrl(req), awaited })
  return toConsolePage(req, {}, { title: 'Getting started', section: `${path}/keys`, project, body })
}

function readClient(id: string): KeyHolder {
  return id === HOSTED ? { id, name: 'Hosted assistant', toolNames: 'dotted' } : requireKeyHolder(id)
}

/** The key in the query; otherwise, of the visitor's keys, the one used last, or the newest if none was used. */
async function findAwaitedKey(req: PageRequest): Promise<Key | undefined> {
  const { service, actor, visitor, url } = req
  const { project } = await toProjectRequest(req)
  const named = url.searchParams.get('key')
  if (named !== null) return requireVisibleKey(service, actor, project, named)
  const keys = await listVisibleKeys(service, visitor, { project, offset: 0, limit: PAGE_SIZE })
  const usedAt = ({ id, lastUsedAt }: Key) => service.keyUses.find(id) ?? lastUsedAt ?? 0
  return keys
    .filter(({ memberId, revokedAt }) => memberId === visitor.member.id && revokedAt === null)
    .sort((a, b) => usedAt(b) - usedAt(a))[0]
}

async function readAwaited({ service }: PageRequest, key: Key, since: number): Promise<Awaited> {
  const isLooking = service.clock.now() - since < MAX_LOOKING_MS
  return { key, ...(await readArrival(service, key)), since: isLooking ? since : undefined }
}

/** When the page started to poll: the time in its query, otherwise now. */
function readSince({ service, url }: PageRequest): number {
  const since = Number(url.searchParams.get('since') ?? Number.NaN)
  return Number.isSafeInteger(since) ? Math.min(since, service.clock.now()) : service.clock.now()
}
