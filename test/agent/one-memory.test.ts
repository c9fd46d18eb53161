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

/**
 * A service, and assistants of one project that do what they are told: each searches and saves with the workspace that the text at the start of its session
 * names for that, and with none where none is named.
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
      remember: async (content: string, fact_key?: string) => {
        const { structured, isError, text } = await service.call('remember', { content, fact_key, workspace: saved })
        if (isError) throw new Error(text)
        service.pass(1_000)
        return (structured as { result: { superseded: { content: string }[] } }).result.superseded.map((one) => one.content)
      },
      search: async (query: string) => {
        const { structured, isError, text } = await service.call('search', { query, workspace: searched, exclude_stale: true })
        if (isError) throw new Error(text)
        return (structured as { result: Found[] }).result
      },
    }
  }

  /** A new session of a client with hooks, in a folder. */
  async function beginWithHooks(name: string) {
    const text = JSON.stringify({ session_id: crypto.randomUUID(), cwd: await folderOf(name), hook_event_name: 'SessionStart' })
    const input = async function* () {
      yield new TextEncoder().encode(text)
    }
    const machine = { environment, home, platform: 'linux' as const }
    const call = { event: 'session-start' as const, clientId: 'claude-code', machine, input: input(), dir: home, now: 0 }
    return follow(JSON.parse((await runHook(call, TIMEOUT_MS)) ?? '{}').hookSpecificOutput?.additionalContext ?? '')
  }

  /** A new session of a client that has no hooks, and passes on the instructions of the server. */
  async function beginWithout() {
    const { body } = await service.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params: INITIALIZE })
    return follow(String(body?.result?.instructions))
  }

  /** What a person types in a folder. */
  const memsvc = async (name: string, ...words: string[]) => {
    const base = { environment, clock: { now: () => 0, ticks: () => 0 }, random: { uuid: () => '', bytes: () => new Uint8Array() } }
    return runCommand(base, [...words, '--dir', await folderOf(name)])
  }
  return { beginWithHooks, beginWithout, memsvc }
}

const contentsOf = (found: Found[]) => found.map(({ content }) => content)
const TUESDAYS = 'Releases go out on Tuesdays, because support is fully staffed then'
const THURSDAYS = 'Releases go out on Thursdays'

test('what is remembered in an empty project is told to the next session, found by every client, and corrected once', async () => {
  const { beginWithHooks, beginWithout } = await openProject()
  const first = await beginWithHooks('newshop')
  expect(first.told.split('\n')).toEqual([
    'Project memory (memsvc): nothing is saved yet.',
    'Find more with the memsvc tool `search`, workspace "*", and other wordings of the same in `also`. Save what is decided with `remember`, with other phrasings to find it by in `asked_as`, without a workspace.',
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
    'Save what is decided with `remember`, with other phrasings to find it by in `asked_as`, workspace "market".',
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
