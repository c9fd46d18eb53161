import { mayManage } from '../../account/auth/authorize.ts'
import { keyState } from '../../account/keys/key-state.ts'
import { rotateKey } from '../../account/keys/rotate-key.ts'
import { mayRotate, requireVisibleKey } from '../../account/keys/visible-keys.ts'
import { listVisibleProjects } from '../../account/organizations/project-access.ts'
import { DAY_MS, HOUR_MS } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import { revokeKeyAndHistories } from '../../history/erase/remove-owner.ts'
import type { Project } from '../../store/account.ts'
import type { Key } from '../../store/key.ts'
import { newFormId } from '../double-submit.ts'
import { typedValue } from '../form.ts'
import { toHiddenFields, toSelect } from '../markup/form.ts'
import { toExactTime, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toFacts } from '../markup/table.ts'
import { pageOf } from '../page.ts'
import { type FormState, type PageRequest, toConsolePage, toProjectRequest } from '../request.ts'
import { redirect } from '../response.ts'
import { type KeyWithHolder, PATH, readHolders, toHolder, toIssued, toStateBadge } from './keys.ts'

/** The page of a key: rotating and revoking. */
export const key = pageOf(findKey, {
  path: `${PATH}/:key`,
  show: showKey,
  views: { '/revoke': askToRevoke },
  forms: { '/rotate': { act: rotate, isOnce: true }, '/revoke': revoke },
})

type KeyRequest = PageRequest & { project: Project; key: Key; at: string }

async function showKey(req: KeyRequest, state: FormState): Promise<Response> {
  const { visitor, project, key, at } = req
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
async function askToRevoke(req: KeyRequest, state: FormState): Promise<Response> {
  const { project, key, at } = req
  const { holder, state: keyIs } = (await readHolders(req, [key]))(key)
  if (keyIs !== 'active') return redirect(`${at}/${key.id}`)
  const body = toKeyRevocation({ at, key, holder, isLast: await isLast(req, key) })
  return toConsolePage(req, state, { title: 'Are you sure?', section: at, project, body })
}

async function rotate(req: KeyRequest, form: URLSearchParams): Promise<Response> {
  const { service, actor, project, key: old, at } = req
  const overlap = OVERLAPS.find(({ value }) => value === form.get('overlap'))
  if (overlap === undefined) throw new Refusal('choose how long the old key still works', 'overlap')
  const issued = await rotateKey(service, actor, { key: old, overlapMs: overlap.overlapMs })
  const rest = overlap.overlapMs === 0 ? 'opens nothing any more' : `still works for ${overlap.label}, and no longer than it would have`
  return toIssued(req, { project, at, ...issued, member: issued.member ?? undefined, old: `The old key svc_${old.shown}… ${rest}.` })
}

async function revoke({ service, visitor, actor, project, key, at }: KeyRequest): Promise<Response> {
  await revokeKeyAndHistories(service, actor, key)
  const open = (await listVisibleProjects(service, visitor)).some(({ id }) => id === project.id)
  return redirect(open ? at : '/console', 'key.revoked')
}

async function findKey(req: PageRequest) {
  const { project, path } = await toProjectRequest(req)
  return { project, at: `${path}/keys`, key: await requireVisibleKey(req.service, req.actor, project, req.params.key ?? '') }
}

/** Whether the visitor would lose access to the project without this key. */
async function isLast({ service, visitor }: PageRequest, key: Key): Promise<boolean> {
  const { control } = service.store
  const { projectId, memberId } = key
  if (mayManage(visitor.member) || memberId !== visitor.member.id) return false
  if ((await control.find('access', { memberId, projectId })) !== undefined) return false
  const now = service.clock.now()
  const own = keyState(key, visitor.member, now) === 'active' ? 1 : 0
  return (await control.count('keys', { memberId, projectId, revokedAt: null, expiresAt: { after: now } })) === own
}

type KeyPage = KeyWithHolder & {
  /** The path of the list of keys. */
  at: string
  /** The chosen value of `OVERLAPS`. */
  overlap: string
  /** Milliseconds since 1970. */
  now: number
  /** Whether the visitor may rotate it, and so see the new key. */
  isRotatable: boolean
  /** The id of the form that rotates it, against double submission. */
  formId: string
}

/** How long a key may stay valid after rotation. */
const OVERLAPS = [
  { value: 'none', label: 'not at all', overlapMs: 0 },
  { value: '1h', label: '1 hour', overlapMs: HOUR_MS },
  { value: '24h', label: '24 hours', overlapMs: DAY_MS },
  { value: '7d', label: '7 days', overlapMs: 7 * DAY_MS },
]

/** One key: its state and dates, its rotation and its revocation. */
function toKey(page: KeyPage): Html {
  const { key, state, holder, at } = page
  const { label, shown, toolNames, createdAt, expiresAt, revokedAt, lastUsedAt } = key
  return html`<p class="back"><a href="${at}">All keys</a></p>
<h1><bdi>${label}</bdi></h1>
${toFacts([
  ['Key', html`<code>svc_${shown}…</code>`],
  ['State', toStateBadge({ key, state }, page.now)],
  ['Holder', toHolder(holder)],
  ['Tool names', toolNames],
  ['Created', toExactTime(createdAt)],
  ['Expires', expiresAt === null ? 'never' : toExactTime(expiresAt)],
  ['Revoked', revokedAt === null ? undefined : toExactTime(revokedAt)],
  ['Last used', lastUsedAt === null ? 'never' : toExactTime(lastUsedAt)],
])}
${state === 'active' ? toActions(page) : html`<p>It opens nothing any more. Issue a new one in its place.</p>`}`
}

function toActions(page: KeyPage): Html {
  const { key, at, isRotatable } = page
  return html`${isRotatable ? toRotation(page) : undefined}
<section class="panel"><h2>Revoke</h2>
<p>The next call with this key is refused, and so are hosted assistants that were connected by it. There is no way back.</p>
<div class="actions"><a class="button danger" href="${at}/${key.id}/revoke">Revoke …</a></div>
</section>`
}

type KeyRevocation = Pick<KeyPage, 'at' | 'key' | 'holder'> & {
  /** Whether the visitor has no other access to the project. */
  isLast: boolean
}

/** Confirmation before a key is revoked: what is known of its use, and the effect. */
function toKeyRevocation({ at, key, holder, isLast }: KeyRevocation): Html {
  const { id, label, shown, lastUsedAt } = key
  return html`<h1>Revoke “<bdi>${label}</bdi>”?</h1>
${toFacts([
  ['Key', html`<code>svc_${shown}…</code>`],
  ['Holder', toHolder(holder)],
  ['Last used', lastUsedAt === null ? 'never' : html`${toTime(lastUsedAt)}`],
])}
<p>The next call with this key is refused, and so are hosted assistants that were connected by it. There is no way back.</p>
${isLast ? html`<p class="alarm">It is your last key for this project: without it you no longer see the project here either.</p>` : undefined}
<form method="post" action="${at}/${id}/revoke">
<div class="actions"><button class="danger">Revoke this key</button><a class="button" href="${at}/${id}">Cancel</a></div>
</form>`
}

function toRotation({ key, at, overlap, formId }: KeyPage): Html {
  return html`<section class="panel"><h2>Rotate</h2>
<p>Issues a key in place of this one: same holder, label, tool names and lifetime. The new key is shown once.</p>
<form method="post" action="${at}/${key.id}/rotate">${toHiddenFields({ form: formId })}
${toSelect({ name: 'overlap', label: 'The old key still works', value: overlap }, OVERLAPS)}
<div class="actions"><button class="main">Rotate</button></div>
</form></section>`
}
