import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { CLIENTS } from '../../src/agent/clients/clients.ts'
import { toClientSetups } from '../../src/console/project/client-setup.ts'
import { KEY_HOLDERS, MCP_CLIENTS } from '../../src/mcp-clients.ts'
import { runCommand } from '../run-cli.ts'

const ROOT = join(import.meta.dir, '../..')
const read = (page: string) => Bun.file(join(ROOT, page)).text()
const ids = MCP_CLIENTS.map(({ id }) => id)
/** A client's name as texts have it: without what stands in brackets. */
const toShortName = ({ name }: { name: string }) => name.replace(/ \(.*/, '')

test('README names every client that memsvc client add knows', async () => {
  const [, listed = ''] = /`memsvc client add` knows ([^.]+)\./.exec(await read('README.md')) ?? []
  expect(listed.split(/, | and /).sort()).toEqual(MCP_CLIENTS.map(toShortName).sort())
})

test('docs/local-agent.md names every client, by whether its settings can refer to a variable', async () => {
  const page = await read('docs/local-agent.md')
  const namedIn = (row: string) => {
    const [, cell = ''] = new RegExp(`^\\| ${row} \\| (.*) \\|$`, 'm').exec(page) ?? []
    return [...cell.matchAll(/`([a-z][a-z-]*)`/g)].map(([, id]) => id).sort()
  }
  const isReferring = ({ reference }: { reference?: unknown }) => reference !== undefined
  const toIds = (clients: typeof MCP_CLIENTS) => clients.map(({ id }) => id).sort()
  expect(namedIn('yes')).toEqual(toIds(MCP_CLIENTS.filter(isReferring)))
  expect(namedIn('no')).toEqual(toIds(MCP_CLIENTS.filter((client) => !isReferring(client))))
})

test('what is to be pasted according to docs/clients.md is what the console shows', async () => {
  const page = await read('docs/clients.md')
  const pasted = [...page.matchAll(/^```(?:json|yaml)\n(.*?)^```$/gms)].map(([, block = '']) => Bun.YAML.parse(block))
  const shown = toClientSetups('http://127.0.0.1:8787/mcp', 'svc_…').map(({ text }) =>
    /^(\{|mcpServers:|extensions:)/.test(text) ? Bun.YAML.parse(text) : text,
  )
  expect(pasted).not.toBeEmpty()
  for (const block of pasted) expect(shown).toContainEqual(block)
})

test('the command line, the console and doctor know the same clients', async () => {
  const base = {
    environment: {},
    clock: { now: () => 0, ticks: () => 0 },
    random: { uuid: () => '', bytes: () => new Uint8Array() },
  }
  const { out } = await runCommand(base, ['key', 'issue', '--help'])
  const [, choices = ''] = /--client .*?\(choices: ([^)]+)\)/s.exec(out) ?? []
  expect(choices.replace(/["\s]/g, '').split(',')).toEqual([...ids, 'other'])
  expect(CLIENTS.map(({ id }) => id)).toEqual(ids)
  expect(KEY_HOLDERS.map(({ id }) => id)).toEqual([...ids, 'other'])
  expect(toClientSetups('', '').map(({ clientId }) => clientId)).toEqual(
    MCP_CLIENTS.filter(({ toHttp }) => toHttp !== undefined).map(({ id }) => id),
  )
})

test('help names the plans, the roles and the events of a session that there are', async () => {
  const base = {
    environment: {},
    clock: { now: () => 0, ticks: () => 0 },
    random: { uuid: () => '', bytes: () => new Uint8Array() },
  }
  const help = async (...words: string[]) => (await runCommand(base, [...words, '--help'])).out.replace(/\s+/g, ' ')
  expect(await help('account', 'add')).toContain('free, team, business or self-hosted (default: "self-hosted")')
  expect(await help('subscription', 'set')).toContain(
    'free, team, business or self-hosted; the current plan if left out',
  )
  expect(await help('member', 'role')).toContain('owner, admin or member')
  expect(await help('client', 'add')).toContain('session-start, session-end (both')
})
