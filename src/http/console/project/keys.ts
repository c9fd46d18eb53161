import { Elysia } from 'elysia'
import { mayManage } from '../../../account/auth/authorize.ts'
import { type IssuedKey, issueKey, revokeKey } from '../../../account/keys/issue-key.ts'
import { keyState } from '../../../account/keys/key-state.ts'
import { rotateKey } from '../../../account/keys/rotate-key.ts'
import { listVisibleKeys, mayRotate, requireHolderToBe, requireVisibleKey } from '../../../account/keys/visible-keys.ts'
import { listVisibleProjects } from '../../../account/organizations/visible-projects.ts'
import { OVERLAPS, toKey } from '../../../console/project/key.ts'
import { type HeldKey, type KeyWish, toKeys } from '../../../console/project/keys.ts'
import { toNewKey } from '../../../console/project/new-key.ts'
import { Refusal } from '../../../errors.ts'
import { readTime } from '../../../memory/records/read-time.ts'
import type { Service } from '../../../service.ts'
import type { Key, Member } from '../../../store/control.ts'
import { baseUrlOf } from '../base-url.ts'
import { newForm, onceForTwoClicks } from '../double-submit.ts'
import { action, page } from '../handle.ts'
import { type FormState, type InProject, inProject, type PageRequest, redirect, toConsolePage } from '../page-request.ts'
import { PAGE_SIZE, readPage } from '../paging.ts'

const PATH = '/console/projects/:project/keys'

/** A project's keys: shown, issued, replaced and revoked. */
export function keys(service: Service) {
  const raw = { parse: 'none' } as const
  return new Elysia({ name: 'console/keys' })
    .get(PATH, page(service, showKeys))
    .post(PATH, action(service, onceForTwoClicks(issue), showKeys), raw)
    .get(`${PATH}/:key`, page(service, showKey))
    .post(`${PATH}/:key/rotate`, action(service, onceForTwoClicks(rotate), showKey), raw)
    .post(`${PATH}/:key/revoke`, action(service, revoke, showKey), raw)
}

async function showKeys(visit: PageRequest, said: FormState): Promise<Response> {
  const { service, visitor, url } = visit
  const { project, path } = await inProject(visit)
  const at = `${path}/keys`
  const page = readPage(url)
  const found = await listVisibleKeys(service, visitor, project, { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE + 1 })
  const rows = await Promise.all(found.slice(0, PAGE_SIZE).map((key) => toHeld(visit, key)))
  const older = found.length > PAGE_SIZE ? `${at}?page=${page + 1}` : undefined
  const self = mayManage(visitor.member) ? visitor.member : undefined
  const body = toKeys({ at, keys: rows, older, self, wish: toWish(visitor.member, said), form: newForm(visit) })
  return toConsolePage(visit, said, { title: 'Keys', section: at, project, body })
}

async function showKey(visit: PageRequest, said: FormState): Promise<Response> {
  const { visitor } = visit
  const { project, key, at } = await findKey(visit)
  const body = toKey({
    ...(await toHeld(visit, key)),
    at,
    overlap: said.given?.get('overlap') ?? '24h',
    last: await isLast(visit, key),
    rotates: mayRotate(visitor, key),
    form: newForm(visit),
  })
  return toConsolePage(visit, said, { title: key.label, section: at, project, body })
}

async function issue(visit: PageRequest, form: URLSearchParams): Promise<Response> {
  const { service, visitor, by } = visit
  const { project, path } = await inProject(visit)
  const member = requireHolderToBe(visitor, form.get('holder'))
  const expires = form.get('expires') || undefined
  const wish = {
    label: form.get('label') || undefined,
    member,
    expiresAt: expires === undefined ? undefined : readTime('the expiry', expires),
    toolNames: form.get('toolNames') === 'underscored' ? ('underscored' as const) : ('dotted' as const),
  }
  return toIssued(visit, { project, at: `${path}/keys`, ...(await issueKey(service, project, wish, by)), member })
}

async function rotate(visit: PageRequest, form: URLSearchParams): Promise<Response> {
  const { service, by } = visit
  const { project, key: old, at } = await findKey(visit)
  const overlap = OVERLAPS.find(({ value }) => value === form.get('overlap'))
  if (overlap === undefined) throw new Refusal('choose how long the old key still works')
  if (!mayRotate(visit.visitor, old)) throw new Refusal('a key is rotated by its holder')
  const issued = await rotateKey(service, old, overlap.span, by)
  const rest = overlap.span === 0 ? 'opens nothing any more' : `still works for ${overlap.label}, and no longer than it would have`
  return toIssued(visit, { project, at, ...issued, member: issued.member ?? undefined, old: `The old key svc_${old.shown}… ${rest}.` })
}

async function revoke(visit: PageRequest): Promise<Response> {
  const { service, visitor, by } = visit
  const { project, key, at } = await findKey(visit)
  await revokeKey(service, key, by)
  const open = (await listVisibleProjects(service, visitor)).some(({ id }) => id === project.id)
  return redirect(open ? at : '/console', 'key.revoked')
}

type Issued = IssuedKey & { project: InProject['project']; at: string; member: Member | undefined; old?: string }

/** The answer to the form itself: there is no other page that could show the key. */
function toIssued(visit: PageRequest, { project, at, key, secret, member, old }: Issued): Response {
  const body = toNewKey({ secret, label: key.label, holder: member?.name, endpoint: `${baseUrlOf(visit)}/mcp`, at, old })
  return toConsolePage(visit, {}, { title: 'New key', section: at, project, body })
}

async function findKey(visit: PageRequest) {
  const { project, path } = await inProject(visit)
  return { project, at: `${path}/keys`, key: await requireVisibleKey(visit.service, visit.visitor, project, visit.params.key ?? '') }
}

async function toHeld({ service }: PageRequest, key: Key): Promise<HeldKey> {
  const holder = key.memberId === null ? undefined : await service.store.control.findAuthor(key.memberId)
  return { key, state: keyState(key, holder, service.clock.now()), holder: holder?.name }
}

/** Whether this key is all that opens the project to a visitor. */
async function isLast({ service, visitor }: PageRequest, key: Key): Promise<boolean> {
  const { control } = service.store
  const { projectId, memberId } = key
  if (mayManage(visitor.member) || memberId !== visitor.member.id) return false
  if ((await control.listAccess(memberId)).includes(projectId)) return false
  const now = service.clock.now()
  const own = keyState(key, visitor.member, now) === 'active' ? 1 : 0
  return (await control.countLiveKeys(memberId, projectId, now)) === own
}

function toWish({ id }: Member, { given }: FormState): KeyWish {
  const said = (name: string, otherwise: string) => given?.get(name) ?? otherwise
  return { label: said('label', ''), holder: said('holder', id), expires: said('expires', ''), toolNames: said('toolNames', 'dotted') }
}
