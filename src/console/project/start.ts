import { issueKey } from '../../account/keys/key.ts'
import { type Arrival, listVisibleKeys, readArrival, requireVisibleKey } from '../../account/keys/visible-keys.ts'
import { MINUTE_MS } from '../../clock.ts'
import { type KeyHolder, MCP_CLIENTS, OTHER_CLIENT, requireKeyHolder } from '../../mcp-clients.ts'
import type { Key } from '../../store/account.ts'
import { FORM_ID, toSelect } from '../markup/form.ts'
import { toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { namedOptions, toBadge } from '../markup/table.ts'
import {
  type Answer,
  openProject,
  type PageContent,
  type PageRequest,
  type ProjectRequest,
  pageOf,
  toBaseUrl,
} from '../page.ts'
import { PAGE_SIZE, toQueryPath } from '../paging.ts'
import { redirect } from '../response.ts'
import { findClientSetup } from './client-setup.ts'
import { DEFAULT_CLIENT } from './keys.ts'

/** How long an open page polls for the first call. */
const MAX_LOOKING_MS = 15 * MINUTE_MS

/** The page of the first steps in a project. */
export const start = pageOf(openProject, {
  path: '/console/projects/:project/start',
  show: showStart,
  views: { '/first-call': showFirstCall },
  forms: { '': issue },
})

async function showStart(req: ProjectRequest): Promise<PageContent> {
  const { path, at } = req
  const key = await findAwaitedKey(req)
  const awaited = key && (await readAwaited(req, key, readSince(req)))
  const body = html`<h1>Getting started</h1>
<p>Connect an assistant to save and find records of this project, in three steps.</p>
<ol class="steps">
<li><h2>Choose the assistant</h2>
<form method="post" action="${at}" class="line">${FORM_ID}
${toSelect({ name: 'client', label: 'Assistant', value: DEFAULT_CLIENT }, CLIENT_OPTIONS)}
<button class="main">Issue a key for it</button>
</form>
<p class="quiet">The key is yours: with it, an assistant acts in your name. <a href="${path}/keys">All keys</a></p></li>
<li><h2>Connect it</h2><p class="quiet">The configuration is shown once, with the key.</p></li>
<li><h2>See the first call</h2>
${awaited === undefined ? html`<p class="quiet">It appears here.</p>` : toFirstCall(path, awaited)}</li>
</ol>`
  return { title: 'Getting started', section: `${path}/keys`, body }
}

/** Polled by an open page until the first call has arrived. The response is empty while nothing has changed. */
async function showFirstCall(req: ProjectRequest): Promise<Answer> {
  const key = await findAwaitedKey(req)
  if (key === undefined || req.request.headers.get('hx-request') === null)
    return redirect(toQueryPath(req.at, { key: key?.id }))
  const { usedAt, isConnected, since } = await readAwaited(req, key, readSince(req))
  const isSame = usedAt === undefined && !isConnected && since !== undefined
  return isSame ? new Response(null, { status: 204, headers: { 'Cache-Control': 'no-store' } }) : showStart(req)
}

/** Shows the key, the only time, and what to paste. */
async function issue(req: ProjectRequest, form: URLSearchParams): Promise<Answer> {
  const { service, actor, visitor, project, path } = req
  const client = readClient(form.get('client') ?? DEFAULT_CLIENT)
  const { key, secret } = await issueKey(service, actor, {
    project,
    label: client.name,
    member: visitor.member,
    toolNames: client.toolNames,
  })
  const awaited = await readAwaited(req, key, service.clock.now())
  const name = CLIENT_OPTIONS.find(({ value }) => value === client.id)?.label ?? client.id
  const body = html`<h1>Getting started</h1>
<ol class="steps">
<li><h2>Your key</h2>
<code class="secret">${secret}</code>
<p class="quiet">Copy it now: it is not shown again. If you lose it, issue another.</p></li>
<li><h2>Connect ${client.id === OTHER_CLIENT.id ? 'your client' : name}</h2>
${toWays(client.id, toBaseUrl(req), secret)}</li>
<li><h2>See the first call</h2>
${toFirstCall(path, awaited)}</li>
</ol>`
  return { title: 'Getting started', section: `${path}/keys`, body }
}

function readClient(id: string): KeyHolder {
  return id === HOSTED ? { id, name: 'Hosted assistant', toolNames: 'dotted' } : requireKeyHolder(id)
}

/** The key in the query; otherwise, of the visitor's keys, the one used last, or the newest if none was used. */
async function findAwaitedKey(req: ProjectRequest): Promise<Key | undefined> {
  const { service, actor, visitor, url, project } = req
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

/** The choice of a hosted assistant, which logs in by OAuth, among the clients that hold a key. */
const HOSTED = 'hosted'

const CLIENT_OPTIONS = [
  ...namedOptions(MCP_CLIENTS),
  { value: HOSTED, label: 'Claude.ai, ChatGPT or another hosted assistant' },
  ...namedOptions([OTHER_CLIENT]),
]

/** A key whose first call is waited for. */
type Awaited = Arrival & {
  key: Pick<Key, 'id' | 'shown'>
  /** Since when the page polls, in milliseconds since 1970; undefined if it no longer does. */
  since: number | undefined
}

function toWays(client: string, baseUrl: string, secret: string): Html {
  const endpoint = `${baseUrl}/mcp`
  if (client === HOSTED) {
    return html`<p>Add a connector, or an app, with this address in the assistant’s settings. It opens a page of this service, which asks for the key.</p>
<pre class="paste">${endpoint}</pre>`
  }
  if (client === OTHER_CLIENT.id) {
    return html`<p>Over Streamable HTTP, with this address and header:</p>
<pre class="paste">${endpoint}</pre>
<pre class="paste">Authorization: Bearer ${secret}</pre>`
  }
  const setup = findClientSetup(client, endpoint, secret)
  const byHand =
    setup &&
    html`<p>Or by hand. ${setup.where}:</p>
<pre class="paste">${setup.text}</pre>`
  return html`<p>If memsvc is installed on the assistant’s machine, run this there in a terminal. It shows what it changes in the settings, and keeps a copy of them.</p>
<pre class="paste">echo ${secret} | SVC_ENDPOINT=${baseUrl} memsvc client add ${client} --key-stdin --yes</pre>
${byHand}
<p class="quiet">Then restart the assistant.</p>`
}

/** The element id of the part that tells whether the first call has arrived. */
const FIRST_CALL = 'first-call'

/** Tells whether the first call has arrived. Until then, the page polls every two seconds if scripts are enabled. */
function toFirstCall(path: string, awaited: Awaited): Html {
  const { key, usedAt, isConnected, since } = awaited
  const hasCome = usedAt !== undefined || isConnected
  const look = toQueryPath(`${path}/start/first-call`, { key: key.id, since: String(since) })
  const polling = html` hx-get="${look}" hx-trigger="every 2s" hx-select="#${FIRST_CALL}" hx-swap="outerHTML"`
  return html`<div aria-live="polite"><div id="${FIRST_CALL}"${hasCome || since === undefined ? undefined : polling}>
${hasCome ? toCome(path, usedAt) : toWaiting(path, awaited)}
</div></div>`
}

function toCome(path: string, usedAt: number | undefined): Html {
  return html`<p class="signal">${toBadge('connected', 'good')} ${usedAt === undefined ? 'A hosted assistant is connected with your key.' : html`The last call came ${toTime(usedAt)}.`}</p>
<p>Now tell your assistant something worth keeping: “Remember that we deploy on Wednesdays.” You will find it under <a href="${path}/records">Records</a>, and the assistant in its next session.</p>`
}

function toWaiting(path: string, { key, since }: Awaited): Html {
  const waiting = since === undefined ? 'No call yet' : 'Waiting for the first call …'
  return html`<p class="signal">${toBadge(since === undefined ? 'not yet' : 'waiting', 'warn')} ${waiting} <span class="quiet">with the key <code>svc_${key.shown}…</code></span></p>
<p class="quiet">Nothing for a minute? Restart the assistant, and ask it which tools it has; <code>memsvc doctor</code> on its machine says what is wrong. <a href="${toQueryPath(`${path}/start`, { key: key.id })}">Refresh</a></p>`
}
