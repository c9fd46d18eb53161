import { mayManage } from '../../account/auth/actor.ts'
import { rotateKey } from '../../account/keys/key.ts'
import { keyState, mayRotate, requireVisibleKey } from '../../account/keys/visible-keys.ts'
import { listVisibleProjects } from '../../account/organizations/project-access.ts'
import { DAY_MS, HOUR_MS } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import { revokeKeyAndHistories } from '../../history/erase/purge.ts'
import type { Key, Project } from '../../store/account.ts'
import { FORM_ID, toSelect } from '../markup/form.ts'
import { toExactTime, toFactTime, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { toFacts } from '../markup/table.ts'
import { type Answer, openProject, type PageContent, type PageRequest, pageOf } from '../page.ts'
import { toQueryPath } from '../paging.ts'
import { redirect } from '../response.ts'
import { toNewKey } from './client-setup.ts'
import { type KeyWithHolder, PATH, readHolders, toHolder, toStateBadge } from './keys.ts'

/** The page of a key: rotating and revoking. */
export const key = pageOf(findKey, {
  path: `${PATH}/:key`,
  show: showKey,
  views: { '/revoke': askToRevoke },
  forms: { '/rotate': rotate, '/revoke': revoke },
})

/** `list` is the path of the list of keys. */
type KeyRequest = PageRequest & KeyWithHolder & { project: Project; list: string }

async function findKey(req: PageRequest) {
  const { project, path } = await openProject(req)
  const key = await requireVisibleKey(req.service, req.actor, project, req.params.key ?? '')
  const toHeld = await readHolders(req, [key])
  return { project, list: `${path}/keys`, ...toHeld(key) }
}

async function rotate(req: KeyRequest, form: URLSearchParams): Promise<Answer> {
  const { service, actor, key: old, list } = req
  const overlap = OVERLAPS.find(({ value }) => value === form.get('overlap'))
  if (overlap === undefined) throw new Refusal('choose how long the old key still works', 'overlap')
  const issued = await rotateKey(service, actor, { key: old, overlapMs: overlap.overlapMs })
  const rest =
    overlap.overlapMs === 0 ? 'no longer works' : `still works for ${overlap.label}, and no longer than it would have`
  return toNewKey(req, {
    at: list,
    ...issued,
    member: issued.member ?? undefined,
    old: `The old key svc_${old.shown}… ${rest}.`,
  })
}

async function revoke({ service, visitor, actor, project, key, list }: KeyRequest): Promise<Answer> {
  await revokeKeyAndHistories(service, actor, key)
  const isOpen = (await listVisibleProjects(service, visitor)).some(({ id }) => id === project.id)
  return redirect(isOpen ? list : '/console', 'key.revoked')
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

/** How long a key may stay valid after rotation. */
const OVERLAPS = [
  { value: 'none', label: 'not at all', overlapMs: 0 },
  { value: '1h', label: '1 hour', overlapMs: HOUR_MS },
  { value: '24h', label: '24 hours', overlapMs: DAY_MS },
  { value: '7d', label: '7 days', overlapMs: 7 * DAY_MS },
]

/** What revoking a key does. */
const REVOCATION = html`<p>Calls with this key are refused at once, and so are hosted assistants connected with it. This cannot be undone.</p>`

/** One key: its state and dates, its rotation and its revocation. */
async function showKey(req: KeyRequest): Promise<PageContent> {
  const { service, list, key, state, holder } = req
  const { label, shown, toolNames, createdAt, expiresAt, revokedAt, lastUsedAt } = key
  const body = html`<p class="back"><a href="${list}">All keys</a></p>
<h1><bdi>${label}</bdi></h1>
${toFacts([
  ['Key', html`<code>svc_${shown}…</code>`],
  ['State', toStateBadge({ key, state }, service.clock.now())],
  ['Holder', toHolder(holder)],
  ['Tool names', `as ${toolNames === 'dotted' ? 'github.get_me' : 'github__get_me'}`],
  ['Created', toExactTime(createdAt)],
  ['Expires', toFactTime(expiresAt) ?? 'never'],
  ['Revoked', toFactTime(revokedAt)],
  ['Last used', toFactTime(lastUsedAt) ?? 'never'],
  [
    'Refused or failed',
    html`<a href="${toQueryPath(list.replace(/keys$/, 'calls'), { key: key.id })}">Calls of the last 30 days</a>`,
  ],
])}
${state === 'active' ? toActions(req) : html`<p>This key no longer works. Issue a new one instead.</p>`}`
  return { title: label, section: list, body }
}

/** Who may not see the new key may not rotate the old one. */
function toActions({ at, visitor, key }: KeyRequest): Html {
  return html`${mayRotate(visitor, key) ? toRotation(at) : undefined}
<section class="panel"><h2>Revoke</h2>
${REVOCATION}
<div class="actions"><a class="button danger" href="${at}/revoke">Revoke …</a></div>
</section>`
}

function toRotation(at: string): Html {
  return html`<section class="panel"><h2>Rotate</h2>
<p>Issues a new key in its place, with the same holder, label, tool names and lifetime. It is shown once.</p>
<form method="post" action="${at}/rotate">${FORM_ID}
${toSelect({ name: 'overlap', label: 'The old key still works', value: '24h' }, OVERLAPS)}
<div class="actions"><button class="main">Rotate</button></div>
</form></section>`
}

/**
 * Confirmation before a key is revoked: what is known of its use, and the effect. The page of the key if it is no
 * longer in use.
 */
async function askToRevoke(req: KeyRequest): Promise<Answer> {
  const { at, list, key, state, holder } = req
  if (state !== 'active') return redirect(at)
  const { label, shown, lastUsedAt } = key
  const body = html`<h1>Revoke “<bdi>${label}</bdi>”?</h1>
${toFacts([
  ['Key', html`<code>svc_${shown}…</code>`],
  ['Holder', toHolder(holder)],
  ['Last used', toTime(lastUsedAt, 'never')],
])}
${REVOCATION}
${(await isLast(req, key)) ? html`<p class="alarm">It is your last key for this project: without it you no longer see the project here either.</p>` : undefined}
<form method="post" action="${at}/revoke">${FORM_ID}
<div class="actions"><button class="danger">Revoke this key</button><a class="button" href="${at}">Cancel</a></div>
</form>`
  return { title: 'Are you sure?', section: list, body }
}
