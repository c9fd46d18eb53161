import { mayManage } from '../../account/auth/actor.ts'
import { issueKey } from '../../account/keys/key.ts'
import {
  countVisibleKeys,
  type KeyState,
  keyState,
  listVisibleKeys,
  readHolder,
} from '../../account/keys/visible-keys.ts'
import { MAX_NAME_CHARACTERS } from '../../account/organizations/names.ts'
import { DAY_MS } from '../../clock.ts'
import { KEY_HOLDERS, requireKeyHolder } from '../../mcp-clients.ts'
import { readTime } from '../../memory/records/text-argument.ts'
import type { Key, Member } from '../../store/account.ts'
import { atField } from '../form.ts'
import { FORM_ID, toField, toSelect } from '../markup/form.ts'
import { toCount, toDays, toTime } from '../markup/format.ts'
import { type Html, html } from '../markup/html.ts'
import { long, namedOptions, toBadge, toCountedTitle, toFold, toListWithFold } from '../markup/table.ts'
import { type Answer, openProject, type PageContent, type PageRequest, type ProjectRequest, pageOf } from '../page.ts'
import { PAGE_SIZE, readPageNumber } from '../paging.ts'
import { findSort, type SortedColumn, sortPage, toSortedTable } from '../sorted-table.ts'
import { toNewKey } from './client-setup.ts'

/** The client selected initially. */
export const DEFAULT_CLIENT = 'claude-code'

export const PATH = '/console/projects/:project/keys'

/** The page of a project's keys, and the form that issues one. */
export const keys = pageOf(openProject, { path: PATH, show: showKeys, forms: { '': issue } })

async function issue(req: ProjectRequest, form: URLSearchParams): Promise<Answer> {
  const { service, actor, project, at } = req
  const member = readHolder(actor, form.get('holder'))
  const expires = form.get('expires') || undefined
  const client = requireKeyHolder(form.get('client') ?? DEFAULT_CLIENT)
  const issued = await issueKey(service, actor, {
    project,
    label: form.get('label') || undefined,
    member,
    expiresAt: expires === undefined ? undefined : await atField('expires', () => readTime('the expiry', expires)),
    toolNames: client.toolNames,
  })
  return toNewKey(req, { at, ...issued, member, clientId: client.id })
}

/** A key, its current state, and the name of its holder; undefined for a service key. */
export type KeyWithHolder = { key: Key; state: KeyState; holder: string | undefined }

/** Reads the holders of all keys at once. Returns a function that adds holder and state to each key. */
export async function readHolders({ service }: PageRequest, keys: Key[]): Promise<(key: Key) => KeyWithHolder> {
  const ids = keys.map(({ memberId }) => memberId).filter((id) => id !== null)
  const holders = new Map((await service.store.control.findAuthors(ids)).map((author) => [author.id, author]))
  return (key) => {
    const holder = holders.get(key.memberId ?? '')
    return { key, state: keyState(key, holder, service.clock.now()), holder: holder?.name }
  }
}

const toColumns = (at: string, now: number): SortedColumn<KeyWithHolder>[] => [
  {
    head: long('Label'),
    cell: ({ key }) =>
      html`<a href="${at}/${key.id}"><bdi>${key.label}</bdi></a><span class="under"><code>svc_${key.shown}…</code></span>`,
    by: ({ key }) => key.label,
    isText: true,
  },
  { head: long('Holder'), cell: ({ holder }) => toHolder(holder), by: ({ holder }) => holder ?? null, isText: true },
  { head: 'State', cell: (held) => toStateBadge(held, now), by: ({ state }) => state, isText: true },
  { head: 'Created', cell: ({ key }) => toTime(key.createdAt), by: ({ key }) => key.createdAt },
  { head: 'Expires', cell: ({ key }) => toTime(key.expiresAt, 'never'), by: ({ key }) => key.expiresAt },
  { head: 'Last used', cell: ({ key }) => toTime(key.lastUsedAt, 'never'), by: ({ key }) => key.lastUsedAt },
]

/** Keys that are read to be sorted, the live and new ones first. */
const MAX_SORTED = 1_000

/** A page of the keys that the visitor may see: live ones first, then newest first, or as the address sorts them. */
async function readPage(req: ProjectRequest, columns: SortedColumn<KeyWithHolder>[], count: number) {
  const { service, visitor, url, project, at } = req
  const isSorted = findSort(req, columns) !== undefined
  const page = readPageNumber(url, count)
  const part = isSorted ? { offset: 0, limit: MAX_SORTED } : { offset: (page - 1) * PAGE_SIZE, limit: PAGE_SIZE + 1 }
  const found = await listVisibleKeys(service, visitor, { project, ...part })
  const held = found.map(await readHolders(req, found))
  if (isSorted) return sortPage(req, columns, held)
  const more = found.length > PAGE_SIZE ? `${at}?page=${page + 1}` : undefined
  return { rows: held.slice(0, PAGE_SIZE), more }
}

/** The keys of a project, and the form that issues one. */
async function showKeys(req: ProjectRequest): Promise<PageContent> {
  const { service, visitor, project, at } = req
  const now = service.clock.now()
  const columns = toColumns(at, now)
  const count = await countVisibleKeys(service, visitor, project)
  const page = await readPage(req, columns, count)
  const list = toSortedTable(req, { caption: 'Keys of this project', columns, ...page, empty: 'No keys yet.' })
  const isEmpty = page.rows.length === 0
  const fold = toFold('Issue a key', { actions: [at], open: isEmpty }, toIssueForm(at, visitor.member))
  const body = html`${toCountedTitle('Keys', count)}
<p class="quiet">With a key, an assistant reads and saves in this project in the name of the key’s holder. Open a key to rotate or revoke it.</p>
${toExpiringNote(page.rows.filter((held) => isExpiring(held, now)).length)}
${count > MAX_SORTED && findSort(req, columns) !== undefined ? toSortedNote(at) : undefined}
${toListWithFold(list, fold, isEmpty)}`
  return { title: 'Keys', body }
}

const toSortedNote = (at: string): Html =>
  html`<p class="quiet">Only ${toCount(MAX_SORTED)} of these keys are sorted: the live ones first, then the newest. <a href="${at}">All are in the list that is not sorted.</a></p>`

function toExpiringNote(count: number): Html | undefined {
  if (count === 0) return undefined
  const which = count === 1 ? '1 of these keys expires' : `${toCount(count)} of these keys expire`
  return html`<p class="notice">${which} within ${toDays(EXPIRES_SOON_MS)}: rotate those still in use.</p>`
}

const CLIENT_OPTIONS = namedOptions(KEY_HOLDERS)

function toIssueForm(at: string, visitor: Member): Html {
  return html`<form method="post" action="${at}">${FORM_ID}
${toField({ name: 'label', label: 'Label', maxlength: MAX_NAME_CHARACTERS, hint: 'Where it is used, such as “laptop”. Leave it empty to use the holder’s name.' })}
${mayManage(visitor) ? toHolderSelect(visitor) : undefined}
${toField({ name: 'expires', label: 'Expires', type: 'date', hint: 'At the beginning of that day in UTC. Leave it empty if it does not expire.' })}
${toSelect({ name: 'client', label: 'Assistant', value: DEFAULT_CLIENT, hint: 'Decides how tools of integrations are named (github.get_me or github__get_me), and which configuration is shown.' }, CLIENT_OPTIONS)}
<div class="actions"><button class="main">Issue</button></div>
</form>`
}

/** Owners and admins may also issue service keys; every key that others issue is their own. */
function toHolderSelect({ id, name, email }: Member): Html {
  const hint =
    'Whoever has the key acts as its holder and sees their drafts, so people issue their own. A service key is an author of its own, without a department.'
  const options = [
    { value: id, label: `${name} (${email})` },
    { value: '', label: 'nobody: a service key' },
  ]
  return toSelect({ name: 'holder', label: 'Holder', value: id, hint }, options)
}

/** The name of a key's holder; undefined for a service key. */
export function toHolder(holder: string | undefined): Html {
  return holder === undefined ? html`service key` : html`<bdi>${holder}</bdi>`
}

/** Keys that expire sooner are marked. */
const EXPIRES_SOON_MS = 14 * DAY_MS

/** Whether an active key expires so soon that it should be replaced. */
function isExpiring({ key, state }: Pick<KeyWithHolder, 'key' | 'state'>, now: number): boolean {
  return state === 'active' && key.expiresAt !== null && key.expiresAt - now < EXPIRES_SOON_MS
}

/** A key's state as badges; a second one if it expires within 14 days. */
export function toStateBadge(held: Pick<KeyWithHolder, 'key' | 'state'>, now: number): Html {
  const state = toBadge(held.state, held.state === 'active' ? 'good' : 'plain')
  return isExpiring(held, now) ? html`${state} ${toBadge('expires soon', 'warn')}` : state
}
