import { expect, test } from 'bun:test'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, openStartedCli, runCommand } from '../run-cli.ts'
import { startEndpoint, UNKNOWN_KEY } from './start-agent.ts'

/**
 * A machine on which a folder's settings name an address that keeps what it is sent, and Cursor's settings hold this
 * entry.
 */
async function openMachine(env: Record<string, string>) {
  const other = startEndpoint(() => new Response('{}'))
  const home = await makeFolder()
  const environment: Record<string, string> = {
    HOME: home,
    PATH: '',
    SVC_DATA_DIR: join(home, 'none'),
    SVC_ENDPOINT: other.url,
  }
  await mkdir(join(home, '.cursor'))
  const settings = join(home, '.cursor/mcp.json')
  await writeFile(settings, JSON.stringify({ mcpServers: { memsvc: { command: '/bin/true', args: ['agent'], env } } }))
  const base = {
    environment,
    clock: { now: () => 0, ticks: () => 0 },
    random: { uuid: () => '', bytes: () => new Uint8Array() },
  }
  const memsvc = (words: string[], input = '') => runCommand(base, words, { input })
  const readEntry = async () => JSON.parse(await readFile(settings, 'utf8')).mcpServers.memsvc.env
  return { ...other, memsvc, readEntry, environment, settings }
}

test.each([
  ['is there without an address', {}],
  ['is there with an address', { SVC_ENDPOINT: 'http://127.0.0.1:9' }],
])("a key in a client's settings that %s is not sent to the address of the environment", async (_, address) => {
  const { heard, memsvc, readEntry } = await openMachine({ SVC_API_KEY: UNKNOWN_KEY, ...address })
  const start = JSON.stringify({ session_id: 's', workspace_roots: ['/'], hook_event_name: 'sessionStart' })
  for (const event of ['session-start', 'user-prompt', 'session-end'])
    await memsvc(['hook', event, '--client', 'cursor'], start)
  await memsvc(['sync', 'enable', '/', '--yes'])
  await memsvc(['sync', 'status', '--client', 'cursor'])
  await memsvc(['doctor'])
  const before = await readEntry()
  expect(await memsvc(['client', 'add', 'cursor', '--yes'])).toMatchObject({
    status: 1,
    err: expect.stringContaining('there is no key of http'),
  })
  expect(await readEntry()).toEqual(before)
  expect(heard).toEqual([])
})

test('a key that a service on this machine issues is not for the address of the environment', async () => {
  const { folder, run, json } = await openStartedCli()
  const { heard, url, environment, settings } = await openMachine({})
  const keys = () => json<unknown[]>(['key', 'list', '--project', 'default'])
  const before = await keys()
  const refused = await run(['client', 'add', 'cursor', '--yes'], {
    environment: { ...environment, SVC_DATA_DIR: folder },
  })
  expect(refused).toMatchObject({ status: 1, err: expect.stringContaining(`there is no key of ${url}`) })
  expect(await keys()).toEqual(before)
  expect(heard).toEqual([])
  const { SVC_ENDPOINT: _, ...rest } = environment
  await run(['client', 'add', 'cursor', '--yes'], { environment: { ...rest, SVC_DATA_DIR: folder } })
  expect(JSON.parse(await readFile(settings, 'utf8')).mcpServers.memsvc.env.SVC_ENDPOINT).toBe('http://127.0.0.1:8787')
})

test('an entry without an address is named by the doctor, and gets one when the client is connected again', async () => {
  const { memsvc, readEntry, environment } = await openMachine({ SVC_API_KEY: UNKNOWN_KEY })
  delete environment.SVC_ENDPOINT
  expect((await memsvc(['doctor'])).out).toContain(
    'names no address: one in the environment, where settings of a folder may set it, gets the key',
  )
  // Given anew, as a service that happens to be there would reject the key of the settings.
  expect((await memsvc(['client', 'add', 'cursor', '--key-stdin', '--yes'], UNKNOWN_KEY)).status).toBe(0)
  expect(await readEntry()).toEqual({ SVC_API_KEY: UNKNOWN_KEY, SVC_ENDPOINT: 'http://127.0.0.1:8787' })
  expect((await memsvc(['doctor'])).out).not.toContain('names no address')
})
