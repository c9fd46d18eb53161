import { expect, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { runHook } from '../../src/agent/hooks/run-hook.ts'
import { makeFolder, runCommand } from '../run-cli.ts'
import { startService } from '../start-service.ts'
import { INITIALIZE } from './start-agent.ts'

/** The busy machine of a test is slower than that of a person. */
const TIMEOUT_MS = 20_000

type Found = { content: string; fact_key: string; workspace: string }
type Remembered = { superseded: { content: string }[]; similar?: { id: string; content: string; same_key?: true }[] }

/**
 * A service, and assistants of one project that do what they are told: each searches and saves with the workspace that
 * the text at the start of its session names for that, and with none where none is named.
 */
async function openProject() {
  const service = await startService()
  const home = await makeFolder()
  const environment = { HOME: home, PATH: '', SVC_API_KEY: service.secret, SVC_ENDPOINT: service.url }
  const folderOf = async (name: string) => {
    await mkdir(join(home, name), { recursive: true })
    return join(home, name)
  }

  function follow(told: string) {
    const [, searched] = /search[^.]*workspace "([^"]+)"/.exec(told) ?? []
    const [, saved] = /remember[^.]*workspace "([^"]+)"/.exec(told) ?? []
    return {
      told,
      /** The texts that it supersedes. What the answer says has the same key elsewhere is outdated, and forgotten. */
      remember: async (content: string, fact_key?: string, workspace = saved) => {
        const { structured, isError, text } = await service.call('remember', { content, fact_key, workspace })
        if (isError) throw new Error(text)
        service.pass(1_000)
        const { superseded, similar = [] } = (structured as { result: Remembered }).result
        const outdated = similar.filter(({ same_key }) => same_key)
        for (const { id } of outdated) await service.call('forget', { id })
        return [...superseded, ...outdated].map((one) => one.content)
      },
      search: async (query: string) => {
        const { structured, isError, text } = await service.call('search', {
          query,
          workspace: searched,
          exclude_stale: true,
        })
        if (isError) throw new Error(text)
        return (structured as { result: Found[] }).result
      },
    }
  }

  /** A new session of a client with hooks, in a folder. */
  async function beginWithHooks(name: string) {
    const text = JSON.stringify({
      session_id: crypto.randomUUID(),
      cwd: await folderOf(name),
      hook_event_name: 'SessionStart',
    })
    const input = async function* () {
      yield new TextEncoder().encode(text)
    }
    const machine = { environment, home, platform: 'linux' as const }
    const call = {
      event: 'session-start' as const,
      clientId: 'claude-code',
      machine,
      input: input(),
      dir: home,
      now: 0,
    }
    return follow(JSON.parse((await runHook(call, TIMEOUT_MS)) ?? '{}').hookSpecificOutput?.additionalContext ?? '')
  }

  /** A new session of a client that has no hooks, and passes on the instructions of the server. */
  async function beginWithout() {
    const { body } = await service.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE })
    return follow(String(body?.result?.instructions))
  }

  /** What a person types in a folder. */
  const memsvc = async (name: string, ...words: string[]) => {
    const base = {
      environment,
      clock: { now: () => 0, ticks: () => 0 },
      random: { uuid: () => '', bytes: () => new Uint8Array() },
    }
    return runCommand(base, [...words, '--dir', await folderOf(name)])
  }
  const nextDay = () => service.pass(24 * 60 * 60_000)
  return { beginWithHooks, beginWithout, memsvc, nextDay, call: service.call }
}

const contentsOf = (found: Found[]) => found.map(({ content }) => content)
const TUESDAYS = 'Releases go out on Tuesdays, because support is fully staffed then'
const THURSDAYS = 'Releases go out on Thursdays'

test('what is remembered in an empty project is told to the next session, found by every client, and corrected once', async () => {
  const { beginWithHooks, beginWithout } = await openProject()
  const first = await beginWithHooks('newshop')
  expect(first.told.split('\n')).toEqual([
    'Project memory (memsvc): nothing is saved yet.',
    'Find more with the memsvc tool `search`, workspace "*", other wordings in `also`. Save what is decided with `remember`, other phrasings in `asked_as`, without a workspace.',
  ])
  expect(await first.search('On which day do we release?')).toEqual([])
  await first.remember(TUESDAYS)

  const second = await beginWithHooks('newshop')
  expect(second.told).toContain(TUESDAYS)
  const [found] = await second.search('On which day do we release?')
  expect(found).toMatchObject({ content: TUESDAYS, workspace: 'default' })
  const other = await beginWithout()
  expect(contentsOf(await other.search('On which day do we release?'))).toEqual([TUESDAYS])
  expect(await other.remember(THURSDAYS, found?.fact_key)).toEqual([TUESDAYS])

  const third = await beginWithHooks('newshop')
  expect([third.told.includes(THURSDAYS), third.told.includes(TUESDAYS)]).toEqual([true, false])
  expect(contentsOf(await third.search('On which day do we release?'))).toEqual([THURSDAYS])
})

test('what clients with and without hooks save, in any folder, the others find, also where a person chose a workspace', async () => {
  const { beginWithHooks, beginWithout, memsvc } = await openProject()
  await (await beginWithHooks('shop')).remember('The till is closed at eight')
  await (await beginWithHooks('blog')).remember('Articles appear on Mondays')
  await (await beginWithout()).remember('The printer is on the second floor')
  await memsvc('shop', 'brief', '--workspace', 'market')
  const chosen = await beginWithHooks('shop')
  expect(chosen.told).toEndWith(
    'Save what is decided with `remember`, other phrasings in `asked_as`, workspace "market".',
  )
  await chosen.remember('The warehouse has a new door')
  for (const session of [chosen, await beginWithHooks('blog'), await beginWithHooks('shop'), await beginWithout()])
    expect(new Set((await session.search('*')).map(({ content, workspace }) => `${workspace}: ${content}`))).toEqual(
      new Set([
        'default: The till is closed at eight',
        'default: Articles appear on Mondays',
        'default: The printer is on the second floor',
        'market: The warehouse has a new door',
      ]),
    )
})

/**
 * What a client saves in a folder on a day of the week, and what the other client, in another folder, says instead two
 * days later.
 */
type Fact = {
  day: number
  by: 'hooks' | 'none'
  folder: string
  question: string
  before: string
  after: string
  key?: string
}

const FACTS: Fact[] = [
  {
    day: 0,
    by: 'hooks',
    folder: 'shop',
    question: 'On which day do we release?',
    before: TUESDAYS,
    after: THURSDAYS,
    key: 'release.day',
  },
  {
    day: 0,
    by: 'none',
    folder: 'blog',
    question: 'who writes articles',
    before: 'Articles are written by Ada',
    after: 'Articles are written by Ben',
  },
  {
    day: 1,
    by: 'none',
    folder: 'till',
    question: 'where is the till',
    before: 'The till is in the hall',
    after: 'The till is by the door',
    key: 'till',
  },
  {
    day: 1,
    by: 'hooks',
    folder: 'till',
    question: 'rate of VAT',
    before: 'VAT has a rate of 19 percent',
    after: 'VAT has a rate of 21 percent',
    key: 'VAT',
  },
  {
    day: 2,
    by: 'hooks',
    folder: 'shop',
    question: 'colour of the logo',
    before: 'The logo has the colour red',
    after: 'The logo has the colour blue',
  },
  {
    day: 2,
    by: 'none',
    folder: 'blog',
    question: 'supplier of flour',
    before: 'The supplier of flour is Mill',
    after: 'The supplier of flour is Farm',
  },
]
const DAYS = 5
const CORRECTED_AFTER_DAYS = 2
const FOLDERS = ['shop', 'blog', 'till']

test('in a week of two clients, one with hooks, in three folders, each fact is found by the other, corrected once, and never double', async () => {
  const { beginWithHooks, beginWithout, memsvc, nextDay, call } = await openProject()
  const begin = (by: Fact['by'], folder: string) => (by === 'hooks' ? beginWithHooks(folder) : beginWithout())
  const find = async (session: Awaited<ReturnType<typeof begin>>, { question, before, after }: Fact) =>
    (await session.search(question)).filter(({ content }) => content === before || content === after)

  for (let day = 0; day < DAYS; day++, nextDay()) {
    // A person chooses a workspace for one of the folders: it stays one memory.
    if (day === 2) await memsvc('shop', 'workspace', 'use', 'market')
    for (const fact of FACTS.filter((one) => one.day === day)) {
      const session = await begin(fact.by, fact.folder)
      expect(await find(session, fact)).toEqual([])
      expect(await session.remember(fact.before, fact.key)).toEqual([])
    }
    for (const fact of FACTS.filter((one) => one.day + CORRECTED_AFTER_DAYS === day)) {
      const elsewhere = FOLDERS[(FOLDERS.indexOf(fact.folder) + 1) % FOLDERS.length] ?? ''
      const session = await begin(fact.by === 'hooks' ? 'none' : 'hooks', elsewhere)
      const [found] = await find(session, fact)
      expect(await session.remember(fact.after, found?.fact_key, found?.workspace)).toEqual([fact.before])
    }
    const known = FACTS.filter((one) => one.day <= day)
    const currentOf = ({ day: saved, before, after }: Fact) => (saved + CORRECTED_AFTER_DAYS <= day ? after : before)
    for (const by of ['hooks', 'none'] as const)
      for (const folder of FOLDERS) {
        const session = await begin(by, folder)
        for (const fact of known)
          expect((await find(session, fact)).map(({ content }) => content)).toEqual([currentOf(fact)])
        const told = known
          .flatMap(({ before, after }) => [before, after])
          .filter((content) => session.told.includes(content))
        expect(told).toEqual(by === 'hooks' ? known.map(currentOf) : [])
      }
  }
  const { structured } = await call('search', { query: '*', workspace: '*', limit: 50 })
  const all = (structured as { result: { content: string; status: string }[] }).result
  expect(
    all
      .filter(({ status }) => status === 'superseded')
      .map(({ content }) => content)
      .sort(),
  ).toEqual(FACTS.map(({ before }) => before).sort())
  expect(all).toHaveLength(2 * FACTS.length)
})

test('a client that corrects a fact of another workspace without a search is told of it, and the fact is not double', async () => {
  const { beginWithHooks, beginWithout, memsvc } = await openProject()
  await (await beginWithHooks('shop')).remember('The lift is old')
  await memsvc('shop', 'workspace', 'use', 'market')
  await (await beginWithHooks('shop')).remember(TUESDAYS, 'release.day')
  const other = await beginWithout()
  expect(await other.remember(THURSDAYS, 'Release.Day')).toEqual([TUESDAYS])
  const found = await (await beginWithHooks('shop')).search('On which day do we release?')
  expect(contentsOf(found)).toEqual([THURSDAYS])
})
