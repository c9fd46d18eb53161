import { toWord } from '../../src/commands/bench/texts.ts'
import { claudeLine, createUploadClient } from '../../test/history/upload-client.ts'
import { CONTROLS, RIVAL_FACT, SOURCE } from './dataset.ts'
import { call, openPage, openRaw, post, postForm, repeatedly, type Tally, type Target, toHead } from './target.ts'

/**
 * Something a client can do to the service. `run` tells how it was answered; it ends by itself, and early once its time
 * is over.
 */
export type Attack = {
  name: string
  /** Who needs what for it. */
  by: 'nobody' | 'a key' | 'a member' | 'an upstream'
  run: (target: Target) => Promise<Tally>
}

const KIB = 1024
const MIB = 1024 * KIB

/**
 * Combining marks of two classes in turn, which sorting them one by one takes a time for that grows with the square of
 * their number.
 */
const marks = (bytes: number, salt: number | string = '') =>
  `a${salt}${'\u0301\u0316'.repeat(Math.floor((bytes - 8) / 4))}`

/** A character that NFKC makes 18 or six of, or an ideograph. */
const expanding = (at: number) => ['\ufdfa', '\u3316', '字'][at % 3] ?? ''

/** Words that no record holds. */
const unknownWords = (count: number, salt: number) =>
  Array.from({ length: count }, (_, nth) => `${toWord(1e6 + salt * 97 + nth * 1_013)}qy`).join(' ')

/** Messages that are no calls of a tool. */
const notification = (params: unknown) => ({ jsonrpc: '2.0', method: 'notifications/progress', params })

/** Text of so many bytes that no two calls share. */
const text = (bytes: number, salt: number) =>
  Array.from({ length: Math.ceil(bytes / 9) }, (_, nth) => toWord(2e6 + salt * 7_919 + nth))
    .join(' ')
    .slice(0, bytes)

const record = (content: string, more: Record<string, unknown> = {}) => ({ content, ...more })

/**
 * One ordinary client, to compare with; every finding of the penetration test; what else was found to be long; and all
 * of it together.
 */
export const ATTACKS: Attack[] = [
  {
    name: 'one-client-saves',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 300, 1, (at) => call(target, 'empty', 'remember', record(text(400, 4_000 + at)))),
  },
  {
    name: 'saves-200-together',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 600, 200, (at) => call(target, 'empty', 'remember', record(text(200, 6_000 + at)))),
  },
  {
    name: 'sign-in-marks',
    by: 'nobody',
    run: (target) =>
      repeatedly(target, 4, 2, () =>
        postForm(target, '/console/sign-in', `email=owner@localhost&password=${marks(255 * KIB)}`),
      ),
  },
  {
    name: 'register-marks',
    by: 'nobody',
    run: (target) =>
      repeatedly(target, 8, 2, (at) =>
        register(target, { client_name: marks(30 * KIB, at), redirect_uris: ['https://a.example/'] }),
      ),
  },
  {
    name: 'register-many',
    by: 'nobody',
    run: (target) =>
      repeatedly(target, 300, 16, (at) =>
        register(target, {
          client_name: `app ${at}`,
          redirect_uris: Array.from({ length: 900 }, (_, nth) => `https://a.example/${nth}/`),
        }),
      ),
  },
  {
    name: 'search-marks-8k',
    by: 'a key',
    run: (target) => repeatedly(target, 24, 4, (at) => call(target, 'large', 'search', { query: marks(8_000, at) })),
  },
  {
    name: 'search-marks-64k',
    by: 'a key',
    run: (target) => repeatedly(target, 8, 2, (at) => call(target, 'large', 'search', { query: marks(64 * KIB, at) })),
  },
  {
    name: 'search-words-1m',
    by: 'a key',
    run: (target) => repeatedly(target, 8, 2, (at) => call(target, 'large', 'search', { query: text(1_000_000, at) })),
  },
  {
    name: 'search-words-8k',
    by: 'a key',
    run: (target) => repeatedly(target, 32, 4, (at) => call(target, 'large', 'search', { query: text(8_000, at) })),
  },
  {
    name: 'search-ligatures-8k',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 32, 4, (at) =>
        call(target, 'large', 'search', { query: `${expanding(at).repeat(8_180)} ${toWord(at)}` }),
      ),
  },
  {
    name: 'search-known-words-8k',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 32, 4, (at) =>
        call(target, 'large', 'search', {
          query: Array.from({ length: 700 }, (_, nth) => toWord(at * 701 + nth * 11))
            .join(' ')
            .slice(0, 8_192),
        }),
      ),
  },
  {
    name: 'remember-marks',
    by: 'a key',
    run: (target) => repeatedly(target, 16, 4, (at) => call(target, 'empty', 'remember', record(marks(64 * KIB, at)))),
  },
  {
    name: 'validate-large',
    by: 'a key',
    run: (target) => repeatedly(target, 3, 1, () => call(target, 'sourced', 'validate_memory', { source_id: SOURCE })),
  },
  {
    name: 'validate-four',
    by: 'a key',
    run: (target) => repeatedly(target, 4, 4, () => call(target, 'sourced', 'validate_memory', { source_id: SOURCE })),
  },
  {
    name: 'validate-controls',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 4, 2, () => call(target, 'sourced', 'validate_memory', { source_id: CONTROLS })),
  },
  {
    name: 'rivals',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 4, 2, (at) =>
        call(target, 'sourced', 'remember', record(`rival of all, ${at}`, { fact_key: RIVAL_FACT })),
      ),
  },
  {
    name: 'search-large-answers',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 16, 4, (at) =>
        call(target, 'sourced', 'search', { query: `large control rival ${toWord(at)}`, limit: 50, offset: at * 50 }),
      ),
  },
  { name: 'unread-answers', by: 'a key', run: askWithoutReading },
  {
    name: 'unknown-words',
    by: 'a key',
    run: (target) => repeatedly(target, 40, 4, (at) => call(target, 'large', 'search', { query: unknownWords(8, at) })),
  },
  {
    name: 'unknown-words-many',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 40, 32, (at) => call(target, 'large', 'search', { query: unknownWords(8, 1_000 + at) })),
  },
  {
    name: 'common-letters',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 40, 4, (at) =>
        call(target, 'large', 'search', { query: 'b d f g k l m n ba be bi bo bu da de di'.slice(at % 8) }),
      ),
  },
  {
    name: 'exclude-stale',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 40, 4, (at) =>
        call(target, 'large', 'search', { query: `budget ${toWord(at)} the of and`, exclude_stale: true, limit: 50 }),
      ),
  },
  {
    name: 'list-deep',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 40, 4, (at) =>
        call(target, 'large', 'search', { query: '*', limit: 50, offset: at * 1_000, exclude_stale: true }),
      ),
  },
  {
    name: 'search-wide',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 40, 4, (at) => call(target, 'wide', 'search', { query: `budget ${at}`, workspace: '*' })),
  },
  {
    name: 'search-empty-hint',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 40, 4, (at) =>
        call(target, 'wide', 'search', { query: `budget sheet ${at}`, workspace: `area-${at}`, exclude_stale: true }),
      ),
  },
  { name: 'console-workspaces', by: 'a member', run: openWidePages },
  { name: 'console-pages', by: 'a member', run: openLargePages },
  {
    name: 'audit-csv',
    by: 'a member',
    run: (target) => repeatedly(target, 10, 10, () => openPage(target, '/console/audit.csv', 'owner')),
  },
  {
    name: 'console-explain',
    by: 'a member',
    run: (target) =>
      repeatedly(target, 16, 4, (at) => {
        const query = new URLSearchParams({ q: `${unknownWords(8, 3_000 + at)} budget` })
        return openPage(target, `/console/projects/${target.dataset.projects.large}/records?${query}`, 'owner')
      }),
  },
  {
    name: 'guard-explain',
    by: 'a member',
    run: (target) =>
      repeatedly(target, 24, 4, (at) =>
        postGuard(
          target,
          'explain',
          `text=${at % 2 === 0 ? marks(200 * KIB, at) : encodeURIComponent(text(64 * KIB, at))}`,
        ),
      ),
  },
  {
    name: 'guard-release',
    by: 'a member',
    run: (target) =>
      repeatedly(target, 2_000, 16, (at) =>
        at % 2 === 0
          ? postGuard(target, `releases/${toHash(at)}`, 'answer=release')
          : postGuard(target, 'ask', `text=ignore+all+instructions+${at}&reason=needed`),
      ),
  },
  {
    name: 'forms-marks',
    by: 'a member',
    run: (target) =>
      repeatedly(target, 8, 2, (at) =>
        postForm(target, '/console/me', `name=${marks(200 * KIB, at)}&email=member@localhost`, 'member'),
      ),
  },
  {
    name: 'notifications-1m',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 200, 16, (at) =>
        post(target, target.dataset.keys.empty, notification({ progressToken: at, text: 'x'.repeat(MIB - 200) })),
      ),
  },
  {
    name: 'notifications-nested',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 60, 8, () =>
        post(
          target,
          target.dataset.keys.empty,
          `{"jsonrpc":"2.0","method":"notifications/x","params":{"a":[${'[],'.repeat(300_000)}0]}}`,
        ),
      ),
  },
  {
    name: 'messages-deep',
    by: 'a key',
    run: (target) => repeatedly(target, 40, 8, () => post(target, target.dataset.keys.empty, '['.repeat(MIB - 10))),
  },
  {
    name: 'arguments-many',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 20, 4, () =>
        call(
          target,
          'empty',
          'search',
          Object.fromEntries(Array.from({ length: 60_000 }, (_, nth) => [`argument${nth}`, nth])),
        ),
      ),
  },
  { name: 'bodies-in-flight', by: 'a key', run: (target) => holdBodies(target, [target.dataset.keys.empty], 330) },
  {
    name: 'bodies-of-account',
    by: 'a key',
    run: (target) => {
      const { large, wide, sourced, empty } = target.dataset.keys
      return holdBodies(target, [large, wide, sourced, empty], 330)
    },
  },
  { name: 'bodies-without-key', by: 'nobody', run: (target) => holdBodies(target, [undefined], 330) },
  {
    name: 'bodies-refused',
    by: 'nobody',
    run: (target) => repeatedly(target, 200, 16, () => post(target, 'svc_wrong', 'x'.repeat(MIB))),
  },
  { name: 'host-header', by: 'nobody', run: sendBadHosts },
  {
    name: 'readiness',
    by: 'nobody',
    run: (target) => repeatedly(target, 3_000, 32, () => openPage(target, '/readyz')),
  },
  {
    name: 'saves-64k-together',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 384, 128, (at) => call(target, 'empty', 'remember', record(text(64 * KIB, at)))),
  },
  {
    name: 'saves-into-large',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 3_000, 64, (at) => call(target, 'large', 'remember', record(text(400, 500 + at)))),
  },
  {
    name: 'saves-64k-into-large',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 128, 64, (at) => call(target, 'large', 'remember', record(text(64 * KIB, 9_000 + at)))),
  },
  {
    name: 'forget-by-source',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 2, 1, (at) => call(target, 'sourced', 'forget', { source_id: at === 0 ? SOURCE : CONTROLS })),
  },
  {
    name: 'forget-many-sources',
    by: 'a key',
    run: (target) =>
      repeatedly(target, 60, 8, (at) => call(target, 'large', 'forget', { source_id: `file-${at * 3}` })),
  },
  {
    name: 'remove-workspace',
    by: 'a member',
    run: (target) =>
      repeatedly(target, 1, 1, () =>
        postForm(
          target,
          `/console/projects/${target.dataset.projects.sourced}/settings/workspaces/remove`,
          'workspace=default',
          'owner',
        ),
      ),
  },
  {
    name: 'sign-ins',
    by: 'nobody',
    run: (target) =>
      repeatedly(target, 100, 16, (at) =>
        postForm(target, '/console/sign-in', `email=e${at}@localhost&password=some+password+${at}`),
      ),
  },
  { name: 'upstream-marks', by: 'an upstream', run: (target) => gateway(target, 'marks', 8, 2) },
  { name: 'upstream-large', by: 'an upstream', run: (target) => gateway(target, 'large', 8, 4) },
  { name: 'upstream-nested', by: 'an upstream', run: (target) => gateway(target, 'nested', 8, 2) },
  { name: 'upstream-slow', by: 'an upstream', run: (target) => gateway(target, 'slow', 200, 200) },
  { name: 'upload-brackets', by: 'a key', run: (target) => upload(target, '['.repeat(1_240_000)) },
  { name: 'upload-objects', by: 'a key', run: (target) => upload(target, `[${'{},'.repeat(400_000)}{}]`) },
  { name: 'upload-arrays', by: 'a key', run: (target) => upload(target, `[${'[],'.repeat(400_000)}[]]`) },
  {
    name: 'upload-members',
    by: 'a key',
    run: (target) => upload(target, `{${Array.from({ length: 95_000 }, (_, at) => `"k${at.toString(36)}":0`).join()}}`),
  },
  { name: 'upload-escapes', by: 'a key', run: (target) => upload(target, `"${'\\"'.repeat(600_000)}"`) },
  { name: 'upload-base64', by: 'a key', run: (target) => upload(target, 'QUJDREVGR0hJSktMTU5PUFFS '.repeat(48_000)) },
  { name: 'session-searched', by: 'a key', run: searchUploaded },
  { name: 'session-read', by: 'a member', run: readUploaded },
  { name: 'mixed', by: 'a key', run: mixAll },
]

function register(target: Target, metadata: Record<string, unknown>): Promise<string> {
  return postJson(target, '/oauth/register', { token_endpoint_auth_method: 'none', ...metadata })
}

async function postJson({ url, signal }: Target, path: string, value: unknown): Promise<string> {
  try {
    const headers = { 'content-type': 'application/json' }
    const { status } = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(value), signal })
    return `${status}`
  } catch {
    return signal.aborted ? 'cut' : 'no answer'
  }
}

/** Uploads segments of three such lines, one after the other. */
async function upload(target: Target, line: string): Promise<Tally> {
  const client = createUploadClient(target.url, target.dataset.keys.empty)
  let head = await client.head({ session_id: line.slice(0, 20) })
  return repeatedly(target, 8, 1, async () => {
    head = await client.append(head, [line, line, line])
    return '201'
  })
}

/** Searches an uploaded session for a text that nearly stands everywhere in it. */
async function searchUploaded(target: Target): Promise<Tally> {
  const client = createUploadClient(target.url, target.dataset.keys.empty)
  const head = await client.head({ session_id: 'searched' })
  await client.append(head, [claudeLine('u', 'ab'.repeat(500_000))])
  const path = `sessions/${head.source_id}/matches?text=${`${'ab'.repeat(50)}ba${'ab'.repeat(440)}`}`
  return repeatedly(target, 8, 2, async () => `${(await client.get(path)).status}`)
}

/** Opens the page of an uploaded session whose lines take long to be parsed, compared or rendered. */
async function readUploaded(target: Target): Promise<Tally> {
  const client = createUploadClient(target.url, target.dataset.keys.empty)
  const { body } = await client.send('POST', 'console-code', undefined, {})
  const list = `/console/projects/${target.dataset.projects.empty}/sessions`
  await postForm(target, `${list}/confirm`, `code=${body.code}`, 'member')
  const toLines = (letter: string) => Array.from({ length: 150 }, (_, at) => `${letter}${at}`).join('\n')
  const edits = Array.from({ length: 20 }, () => ({ old_string: toLines('a'), new_string: toLines('b') }))
  const values = JSON.stringify(Array.from({ length: 19_000 }, () => 'x'.repeat(40)))
  const toCall = (uuid: string, input: unknown) => {
    const message = { role: 'assistant', content: [{ type: 'tool_use', name: 'Edit', input }] }
    return claudeLine(uuid, '', { type: 'assistant', message })
  }
  const slow = [claudeLine('escapes', '"\\'.repeat(300_000)), toCall('values', values), toCall('edits', { edits })]
  const head = await client.append(await client.head({ session_id: 'read' }), slow)
  await client.append(head, [claudeLine('brackets', `${'['.repeat(1_999)}\n\n`.repeat(4))])
  return repeatedly(target, 32, 2, () => openPage(target, `${list}/${head.source_id}`, 'member'))
}

/** Asks over 25 connections, four times on each, and reads none of the answers. */
async function askWithoutReading(target: Target): Promise<Tally> {
  const calls = [
    { name: 'validate_memory', arguments: { source_id: SOURCE } },
    { name: 'search', arguments: { query: 'large', limit: 50 } },
  ]
  const sockets = await Promise.all(
    Array.from({ length: 25 }, async (_, at) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: at, method: 'tools/call', params: calls[at % 2] })
      const socket = await openRaw(target, (toHead(target, body.length, target.dataset.keys.sourced) + body).repeat(4))
      return socket.pause()
    }),
  )
  await waitFor(target, 5_000)
  for (const socket of sockets) socket.destroy()
  return { unread: sockets.length }
}

/** Announces bodies of 1 MiB with these keys in turn, sends all but their last byte, and waits. */
async function holdBodies(target: Target, keys: (string | undefined)[], count: number): Promise<Tally> {
  const body = 'x'.repeat(MIB - 1)
  const counts: Tally = {}
  const sockets = await Promise.all(
    Array.from({ length: count }, async (_, at) => {
      const socket = await openRaw(target, toHead(target, MIB, keys[at % keys.length]) + body)
      socket.once('data', (chunk) => {
        const status = String(chunk).slice(9, 12)
        counts[status] = (counts[status] ?? 0) + 1
      })
      return socket
    }),
  )
  await waitFor(target, 4_000)
  const open = sockets.filter((socket) => !socket.destroyed).length
  for (const socket of sockets) socket.destroy()
  return { ...counts, 'held open': open }
}

async function sendBadHosts(target: Target): Promise<Tally> {
  const hosts = ['[', '[::1', 'a b', '127.0.0.1:99999', '%', 'http://x/', '']
  return repeatedly(target, 1_000, 8, async (at) => {
    const socket = await openRaw(
      target,
      `GET /console/enter/${toHash(at)} HTTP/1.1\r\nHost: ${hosts[at % hosts.length]}\r\nConnection: close\r\n\r\n`,
    )
    const answer = await new Promise((resolve) =>
      socket.once('data', resolve).once('close', () => resolve('no answer')),
    )
    socket.destroy()
    return String(answer).slice(9, 12)
  })
}

async function openWidePages(target: Target): Promise<Tally> {
  const base = `/console/projects/${target.dataset.projects.wide}`
  const lists = ['', '?workspace=area-77', '?q=budget', '?workspace=*&q=budget'].map((query) => `/records${query}`)
  const paths = ['/overview', '/settings', '/review', '/trash', ...lists]
  return repeatedly(target, 16, 2, (at) => openPage(target, base + paths[at % paths.length], 'owner'))
}

async function openLargePages(target: Target): Promise<Tally> {
  const base = `/console/projects/${target.dataset.projects.large}`
  const pages = ['overview', 'sources', 'settings', 'review', 'trash', 'guard', 'keys', 'connections', 'records'].map(
    (page) => `/${page}`,
  )
  const lists = ['status=verified', 'status=superseded&fresh=1', 'fresh=1&q=budget', 'source=file-3', 'scope=draft']
  const paths = [...pages, ...lists.map((query) => `/records?${query}`)]
  const others = ['/console', '/console/audit', '/console/people', '/console/audit?act=guard.allow', '/console/account']
  const all = [...paths.map((path) => base + path), ...others]
  return repeatedly(target, 2 * all.length, 4, (at) => openPage(target, all[at % all.length] ?? base, 'owner'))
}

const postGuard = (target: Target, what: string, fields: string) =>
  postForm(target, `/console/projects/${target.dataset.projects.empty}/guard/${what}`, fields, 'owner')

const toHash = (at: number) => new Bun.CryptoHasher('sha256').update(`${at}`).digest('hex')

const gateway = (target: Target, tool: string, times: number, together: number) =>
  repeatedly(target, times, together, (at) =>
    call(target, 'empty', 'gateway_call', { integration: 'hostile', tool, arguments: { at } }),
  )

/** What everybody does at once; what changes the data set for the others is left out. */
async function mixAll(target: Target): Promise<Tally> {
  const names = [
    'sign-in-marks',
    'search-marks-8k',
    'search-words-8k',
    'remember-marks',
    'validate-four',
    'search-large-answers',
    'unknown-words',
  ]
  const more = [
    'exclude-stale',
    'search-wide',
    'console-workspaces',
    'console-pages',
    'notifications-1m',
    'host-header',
    'saves-64k-together',
  ]
  const last = [
    'saves-into-large',
    'guard-release',
    'upstream-large',
    'upstream-marks',
    'unread-answers',
    'bodies-in-flight',
  ]
  const mixed = ATTACKS.filter(({ name }) => [...names, ...more, ...last].includes(name))
  const tallies = await Promise.all(mixed.map(({ run }) => run(target)))
  const counts: Tally = {}
  for (const [outcome, count] of tallies.flatMap(Object.entries)) counts[outcome] = (counts[outcome] ?? 0) + count
  return counts
}

/** Waits so long, or until the time is over. */
function waitFor({ signal }: Target, milliseconds: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, milliseconds)
  signal.addEventListener('abort', () => {
    clearTimeout(timer)
    resolve()
  })
  return promise
}
