// What it costs to know the caller, take places in both windows and narrow to what they may see, beside a whole
// `search` call; and what a search costs where the caller may see one record in a hundred, beside a project of those
// records alone. Usage: bun bench/admission.ts [records of the large project]
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { COMMAND_LINE } from '../src/account/auth/actor.ts'
import { authenticate } from '../src/account/auth/authenticate.ts'
import type { Caller } from '../src/account/auth/caller.ts'
import { issueKey } from '../src/account/keys/key.ts'
import { consumeCall } from '../src/account/limits/throttle.ts'
import { addMember } from '../src/account/organizations/member.ts'
import { addProject } from '../src/account/organizations/project.ts'
import { requireActiveSubscription } from '../src/account/subscription/subscription.ts'
import { createApp } from '../src/app.ts'
import { visibleTo } from '../src/memory/visibility.ts'
import type { Service } from '../src/service.ts'
import { keep } from './keep.ts'
import { openWithNotes } from './servers/open.ts'

const LARGE = Number(process.argv[2] ?? 100_000)
const SEEN_OF = 100
const ROUNDS = 40
const CALLS = 50
const AT_ONCE = 128
const WORDS = 4_000

const CONSONANTS = 'bdfgklmnprstvz'
const VOWELS = 'aeiou'

/**
 * A word by its rank, of three syllables; words begin with all letters, and the first ones come as often as the
 * commonest of a language do.
 */
function wordOf(rank: number): string {
  const syllable = (n: number) =>
    `${CONSONANTS[n % CONSONANTS.length]}${VOWELS[Math.floor(n / CONSONANTS.length) % VOWELS.length]}`
  return syllable(rank * 3) + syllable(rank * 7 + 1) + syllable(Math.floor(rank / 70) + rank)
}
const someWord = () => wordOf(Math.floor(WORDS ** Math.random()))
const someText = (words: number) => Array.from({ length: words }, someWord).join(' ')

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

type Asking = { project: string; header: string; caller: Caller }

/** A project with a member's key. */
async function openProject(service: Service, name: string, memberOf: string): Promise<Asking> {
  const [account] = await service.store.control.list('accounts', {})
  if (account === undefined) throw new Error('no account')
  const member =
    (await service.store.control.findMembers(memberOf, 1))[0] ??
    (await addMember(service, COMMAND_LINE, { account, email: memberOf, name: memberOf, role: 'member' }))
  const [known] = await service.store.control.findProjects(name)
  const project = known ?? (await addProject(service, COMMAND_LINE, { account, name }))
  const { secret } = await issueKey(service, COMMAND_LINE, { project, member })
  const header = `Bearer ${secret}`
  return { project: project.id, header, caller: await authenticate(service, header) }
}

async function fill(service: Service, { caller }: Asking, records: number): Promise<void> {
  const save = () => keep({ service, caller }, { content: someText(25), scope: 'draft' })
  for (let saved = 0; saved < records; saved += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, records - saved) }, save))
  }
}

/** Mean microseconds of one act of several. */
async function time(acts: number, act: () => Promise<unknown>): Promise<number> {
  const started = Bun.nanoseconds()
  for (let i = 0; i < acts; i++) await act()
  return (Bun.nanoseconds() - started) / 1_000 / acts
}

/** What a call goes through before its tool. */
async function enter(service: Service, { header }: Asking): Promise<unknown> {
  const caller = await authenticate(service, header)
  await consumeCall(service, caller)
  requireActiveSubscription(service, caller, 'read')
  return visibleTo(caller)
}

function searchThrough(service: Service): (asking: Asking) => Promise<string> {
  const app = createApp(service)
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  return async ({ header }) => {
    const params = { name: 'search', arguments: { query: someText(4) } }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { ...headers, authorization: header },
      body,
    })
    const text = await (await app.handle(request)).text()
    if (!text.includes('"isError":false')) throw new Error(text)
    return text
  }
}

const folder = await mkdtemp(join(tmpdir(), 'memsvc-bench-'))
const { service } = await openWithNotes(folder)
const small = await openProject(service, 'small', 'seer@localhost')
const large = await openProject(service, 'large', 'seer@localhost')
const others = await openProject(service, 'large', 'other@localhost')
const seen = LARGE / SEEN_OF
await fill(service, small, seen)
for (let part = 0; part < 10; part++) {
  await fill(service, large, seen / 10)
  await fill(service, others, (LARGE - seen) / 10)
}

const search = searchThrough(service)
const rounds: { enter: number; small: number; large: number }[] = []
for (let round = 0; round < ROUNDS; round++) {
  rounds.push({
    enter: await time(CALLS, () => enter(service, small)),
    small: await time(CALLS, () => search(small)),
    large: await time(CALLS, () => search(large)),
  })
}
const of = (pick: (round: (typeof rounds)[0]) => number) => median(rounds.map(pick))
console.log(
  `admission ${of((round) => round.enter).toFixed(1)} µs, search ${of((round) => round.small).toFixed(0)} µs of ${seen} records`,
)
console.log(`  ${(100 * of(({ enter, small }) => enter / small)).toFixed(1)} % of the call (goal at most 10 %)`)
console.log(`search ${of((round) => round.large).toFixed(0)} µs where ${seen} of ${LARGE} records may be seen`)
console.log(`  ${of(({ large, small }) => large / small).toFixed(2)} times the project of those alone (goal at most 3)`)
await service.close()
await rm(folder, { recursive: true })
