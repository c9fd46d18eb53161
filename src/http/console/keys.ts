import { Elysia } from 'elysia'
import { type IssuedKey, issueKey, revokeKey } from '../../account/issue-key.ts'
import { keyState } from '../../account/key-state.ts'
import { mayManage } from '../../account/rights.ts'
import { rotateKey } from '../../account/rotate-key.ts'
import { listVisitorKeys, mayRotate, requireHolderToBe, requireVisitorKey } from '../../account/visitor-keys.ts'
import { listVisitorProjects } from '../../account/visitor-projects.ts'
import { OVERLAPS, toKey } from '../../console/key.ts'
import { type HeldKey, type KeyWish, toKeys } from '../../console/keys.ts'
import { toNewKey } from '../../console/new-key.ts'
import { Refusal } from '../../errors.ts'
import { readTime } from '../../memory/time.ts'
import type { Service } from '../../service.ts'
import type { Key, Member } from '../../store/control.ts'
import { shows, takes } from './handle.ts'
import { originOf } from './origin.ts'
import { PAGE, readPage } from './paged.ts'
import { newForm, onceForTwoClicks } from './second-click.ts'
import { type InProject, inProject, type Said, toConsolePage, toPlace, type Visit } from './visit.ts'

const PATH = '/console/projects/:project/keys'

/** A project's keys: shown, issued, replaced and revoked. */
export function keys(service: Service) {
  const raw = { parse: 'none' } as const
  return new Elysia({ name: 'console/keys' })
    .get(PATH, shows(service, showKeys))
    .post(PATH, takes(service, onceForTwoClicks(issue), showKeys), raw)
    .get(`${PATH}/:key`, shows(service, showKey))
    .post(`${PATH}/:key/rotate`, takes(service, onceForTwoClicks(rotate), showKey), raw)
    .post(`${PATH}/:key/revoke`, takes(service, revoke, showKey), raw)
}

async function showKeys(visit: Visit, said: Said): Promise<Response> {
  const { service, visitor, url } = visit
  const { project, path } = await inProject(visit)
  const at = `${path}/keys`
  const page = readPage(url)
  const found = await listVisitorKeys(service, visitor, project, { offset: (page - 1) * PAGE, limit: PAGE + 1 })
  const rows = await Promise.all(found.slice(0, PAGE).map((key) => toHeld(visit, key)))
  const older = found.length > PAGE ? `${at}?page=${page + 1}` : undefined
  const self = mayManage(visitor.member) ? visitor.member : undefined
  const body = toKeys({ at, keys: rows, older, self, wish: toWish(visitor.member, said), form: newForm(visit) })
  return toConsolePage(visit, said, { title: 'Keys', section: at, project, body })
}

async function showKey(visit: Visit, said: Said): Promise<Response> {
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

async function issue(visit: Visit, form: URLSearchParams): Promise<Response> {
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

async function rotate(visit: Visit, form: URLSearchParams): Promise<Response> {
  const { service, by } = visit
  const { project, key: old, at } = await findKey(visit)
  const overlap = OVERLAPS.find(({ value }) => value === form.get('overlap'))
  if (overlap === undefined) throw new Refusal('choose how long the old key still works')
  if (!mayRotate(visit.visitor, old)) throw new Refusal('a key is rotated by its holder')
  const issued = await rotateKey(service, old, overlap.span, by)
  const rest = overlap.span === 0 ? 'opens nothing any more' : `still works for ${overlap.label}, and no longer than it would have`
  return toIssued(visit, { project, at, ...issued, member: issued.member ?? undefined, old: `The old key svc_${old.shown}… ${rest}.` })
}

async function revoke(visit: Visit): Promise<Response> {
  const { service, visitor, by } = visit
  const { project, key, at } = await findKey(visit)
  await revokeKey(service, key, by)
  const open = (await listVisitorProjects(service, visitor)).some(({ id }) => id === project.id)
  return toPlace(open ? at : '/console', 'key.revoked')
}

type Issued = IssuedKey & { project: InProject['project']; at: string; member: Member | undefined; old?: string }

/** The answer to the form itself: there is no other page that could show the key. */
function toIssued(visit: Visit, { project, at, key, secret, member, old }: Issued): Response {
  const body = toNewKey({ secret, label: key.label, holder: member?.name, endpoint: `${originOf(visit)}/mcp`, at, old })
  return toConsolePage(visit, {}, { title: 'New key', section: at, project, body })
}

async function findKey(visit: Visit) {
  const { project, path } = await inProject(visit)
  return { project, at: `${path}/keys`, key: await requireVisitorKey(visit.service, visit.visitor, project, visit.params.key ?? '') }
}

async function toHeld({ service }: Visit, key: Key): Promise<HeldKey> {
  const holder = key.memberId === null ? undefined : await service.store.control.findAuthor(key.memberId)
  return { key, state: keyState(key, holder, service.clock.now()), holder: holder?.name }
}

/** Whether this key is all that opens the project to a visitor. */
async function isLast({ service, visitor }: Visit, key: Key): Promise<boolean> {
  const { control } = service.store
  const { projectId, memberId } = key
  if (mayManage(visitor.member) || memberId !== visitor.member.id) return false
  if ((await control.listAccess(memberId)).includes(projectId)) return false
  const now = service.clock.now()
  const own = keyState(key, visitor.member, now) === 'active' ? 1 : 0
  return (await control.countLiveKeys(memberId, projectId, now)) === own
}

function toWish({ id }: Member, { given }: Said): KeyWish {
  const said = (name: string, otherwise: string) => given?.get(name) ?? otherwise
  return { label: said('label', ''), holder: said('holder', id), expires: said('expires', ''), toolNames: said('toolNames', 'dotted') }
}
