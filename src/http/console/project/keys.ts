import { Elysia } from 'elysia'
import { mayManage } from '../../../account/auth/authorize.ts'
import { type IssuedKey, issueKey } from '../../../account/keys/issue-key.ts'
import { keyState } from '../../../account/keys/key-state.ts'
import { rotateKey } from '../../../account/keys/rotate-key.ts'
import { listVisibleKeys, mayRotate, readHolder, requireVisibleKey } from '../../../account/keys/visible-keys.ts'
import { listVisibleProjects } from '../../../account/organizations/project-access.ts'
import { OVERLAPS, toKey, toKeyRevocation } from '../../../console/project/key.ts'
import { type KeyForm, type KeyWithHolder, toKeys } from '../../../console/project/keys.ts'
import { toNewKey } from '../../../console/project/new-key.ts'
import { Refusal } from '../../../errors.ts'
import { revokeKeyAndHistories } from '../../../history/erase/remove-owner.ts'
import { requireKeyHolder } from '../../../mcp-clients.ts'
import { readTime } from '../../../memory/records/text-argument.ts'
import type { Service } from '../../../service.ts'
import type { Member } from '../../../store/account.ts'
import type { Key } from '../../../store/key.ts'
import { newFormId, onceForDoubleSubmit } from '../double-submit.ts'
import { atField, typedValue } from '../form-fields.ts'
import { action, page } from '../handle.ts'
import {
  type FormState,
  type PageRequest,
  type ProjectRequest,
  redirect,
  toBaseUrl,
  toConsolePage,
  toProjectRequest,
} from '../page-request.ts'
import { PAGE_SIZE, readPageNumber } from '../paging.ts'

/** The client selected initially. */
const DEFAULT_CLIENT = 'claude-code'

const PATH = '/console/projects/:project/keys'

/** The pages of a project's keys: listing, issuing, rotating and revoking. */
export function keys(service: Service) {
  const raw = { parse: 'none' } as const
  return new Elysia({ name: 'console/keys' })
    .get(PATH, page(service, showKeys))
    .post(PATH, action(service, onceForDoubleSubmit(issue), showKeys), raw)
    .get(`${PATH}/:key`, page(service, showKey))
    .post(`${PATH}/:key/rotate`, action(service, onceForDoubleSubmit(rotate), showKey), raw)
    .get(`${PATH}/:key/revoke`, page(service, askToRevoke))
    .post(`${PATH}/:key/revoke`, action(service, revoke, showKey), raw)
}

async function showKeys(req: PageRequest, state: FormState): Promise<Response> {
  const { service, visitor, url } = req
  const { project, path } = await toProjectRequest(req)
  const at = `${path}/keys`
  const page = readPageNumber(url)
  const found = await listVisibleKeys(service, visitor, { project, offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE + 1 })
  const shown = found.slice(0, PAGE_SIZE)
  const rows = shown.map(await readHolders(req, shown))
  const older = found.length > PAGE_SIZE ? `${at}?page=${page + 1}` : undefined
  const self = mayManage(visitor.member) ? visitor.member : undefined
  const body = toKeys({
    at,
    keys: rows,
    older,
    self,
    now: req.service.clock.now(),
    form: toForm(visitor.member, state),
    formId: newFormId(req),
  })
  return toConsolePage(req, state, { title: 'Keys', section: at, project, body })
}

async function showKey(req: PageRequest, state: FormState): Promise<Response> {
  const { visitor } = req
  const { project, key, at } = await findKey(req)
  const toHeld = await readHolders(req, [key])
  const body = toKey({
    ...toHeld(key),
    at,
    overlap: typedValue(state, 'overlap', '24h'),
    now: req.service.clock.now(),
    isRotatable: mayRotate(visitor, key),
    formId: newFormId(req),
  })
  return toConsolePage(req, state, { title: key.label, section: at, project, body })
}

/** Confirmation before a key is revoked; the page of the key if it is no longer in use. */
async function askToRevoke(req: PageRequest, state: FormState): Promise<Response> {
  const { project, key, at } = await findKey(req)
  const { holder, state: keyIs } = (await readHolders(req, [key]))(key)
  if (keyIs !== 'active') return redirect(`${at}/${key.id}`)
  const body = toKeyRevocation({ at, key, holder, isLast: await isLast(req, key) })
  return toConsolePage(req, state, { title: 'Are you sure?', section: at, project, body })
}

async function issue(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const { service, actor } = req
  const { project, path } = await toProjectRequest(req)
  const member = readHolder(actor, form.get('holder'))
  const expires = form.get('expires') || undefined
  const client = requireKeyHolder(form.get('client') ?? DEFAULT_CLIENT)
  const input = {
    label: form.get('label') || undefined,
    member,
    expiresAt: expires === undefined ? undefined : await atField('expires', () => readTime('the expiry', expires)),
    toolNames: client.toolNames,
  }
  const issued = await issueKey(service, actor, { project, ...input })
  return toIssued(req, { project, at: `${path}/keys`, ...issued, member, clientId: client.id })
}

async function rotate(req: PageRequest, form: URLSearchParams): Promise<Response> {
  const { service, actor } = req
  const { project, key: old, at } = await findKey(req)
  const overlap = OVERLAPS.find(({ value }) => value === form.get('overlap'))
  if (overlap === undefined) throw new Refusal('choose how long the old key still works', 'overlap')
  const issued = await rotateKey(service, actor, { key: old, overlapMs: overlap.overlapMs })
  const rest = overlap.overlapMs === 0 ? 'opens nothing any more' : `still works for ${overlap.label}, and no longer than it would have`
  return toIssued(req, { project, at, ...issued, member: issued.member ?? undefined, old: `The old key svc_${old.shown}… ${rest}.` })
}

async function revoke(req: PageRequest): Promise<Response> {
  const { service, visitor, actor } = req
  const { project, key, at } = await findKey(req)
  await revokeKeyAndHistories(service, actor, key)
  const open = (await listVisibleProjects(service, visitor)).some(({ id }) => id === project.id)
  return redirect(open ? at : '/console', 'key.revoked')
}

type Issued = IssuedKey & { project: ProjectRequest['project']; at: string; member: Member | undefined; old?: string; clientId?: string }

/** Shows the key, which cannot be shown again. */
function toIssued(req: PageRequest, { project, at, key, secret, member, old, clientId }: Issued): Promise<Response> {
  const body = toNewKey({ secret, label: key.label, holder: member?.name, endpoint: `${toBaseUrl(req)}/mcp`, clientId, at, old })
  return toConsolePage(req, {}, { title: 'New key', section: at, project, body })
}

async function findKey(req: PageRequest) {
  const { project, path } = await toProjectRequest(req)
  return { project, at: `${path}/keys`, key: await requireVisibleKey(req.service, req.actor, project, req.params.key ?? '') }
}

/** Reads the holders of all keys at once. Returns a function that adds holder and state to each key. */
async function readHolders({ service }: PageRequest, keys: Key[]): Promise<(key: Key) => KeyWithHolder> {
  const ids = keys.map(({ memberId }) => memberId).filter((id) => id !== null)
  const holders = new Map((await service.store.control.findAuthors(ids)).map((author) => [author.id, author]))
  return (key) => {
    const holder = holders.get(key.memberId ?? '')
    return { key, state: keyState(key, holder, service.clock.now()), holder: holder?.name }
  }
}

/** Whether the visitor would lose access to the project without this key. */
async function isLast({ service, visitor }: PageRequest, key: Key): Promise<boolean> {
  const { control } = service.store
  const { projectId, memberId } = key
  if (mayManage(visitor.member) || memberId !== visitor.member.id) return false
  if ((await control.listAccess(memberId)).includes(projectId)) return false
  const now = service.clock.now()
  const own = keyState(key, visitor.member, now) === 'active' ? 1 : 0
  return (await control.countLiveKeys(memberId, projectId, now)) === own
}

function toForm({ id }: Member, state: FormState): KeyForm {
  return {
    label: typedValue(state, 'label'),
    holder: typedValue(state, 'holder', id),
    expires: typedValue(state, 'expires'),
    client: typedValue(state, 'client', DEFAULT_CLIENT),
  }
}
