import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { commandsBeside, toEnvironment } from '../command-line.ts'
import { startGateway } from '../gateway/start-gateway.ts'
import { startUpstream, tool } from '../gateway/upstreams.ts'
import { runCommand } from '../run-cli.ts'

const LINES = '# credential of the hub\nAuthorization: Bearer upstream-token\n\nX-Team: a\n'

async function startCommands() {
  const running = await startGateway()
  const { clock, random, config } = running.service
  const environment = { ...toEnvironment(config), SVC_OUTBOUND_ALLOW: '127.0.0.1' }
  const asked: string[] = []

  /** One command line of an operator who allowed this machine; `said` is what they type when asked. */
  function memsvc(words: string[], { said = '', ...more }: { HUB?: string; said?: string } = {}) {
    const ask = async (question: string) => {
      asked.push(question)
      return said
    }
    return runCommand({ environment: { ...environment, ...more }, clock, random }, words, { ask })
  }

  const beside = commandsBeside(running.service)
  return { ...running, ...beside, withoutAllowance: beside.memsvc, memsvc, asked }
}

test('connects a server, tells what it is like, and shows its tools to a project of a running service', async () => {
  const upstream = startUpstream({
    'tools/list': () => ({ tools: [tool('echo'), tool('wipe', { annotations: {} }), tool('echo')] }),
  })
  const { memsvc, list, listWhenKnown, raw } = await startCommands()
  const added = await memsvc(['integration', 'add', 'hub', '--url', upstream.url, '--name', 'Hub'])
  expect(added).toEqual({
    status: 0,
    err: '',
    out: [
      'added hub; integration enable shows its tools to a project',
      'it works: MCP 2026-07-28 over Streamable HTTP, 0 ms',
      'listed: hub.echo',
      'refused, since not annotated read-only: wipe',
      'left out, since another tool has the same name: 1 (echo)\n',
    ].join('\n'),
  })
  expect(await list()).toEqual([])
  const enabled = await memsvc(['integration', 'enable', 'hub', '--project', 'default'])
  const listed = await listWhenKnown()
  expect(listed).toMatchObject([{ name: 'hub.echo', title: 'Hub (read-only): echo' }])
  const adds = `its 1 tool adds ${JSON.stringify(listed[0]).length} characters to every session`
  expect(enabled.out).toBe(
    `enabled hub for project 'default'; ${adds}: 'memsvc integration change hub --tool …' chooses\n`,
  )
  expect(await raw('hub.echo')).toMatchObject({ isError: false })
  await memsvc(['integration', 'disable', 'hub', '--project', 'default'])
  expect(await list()).toEqual([])
})

test('takes a credential from a file, the environment or a question, and shows it nowhere', async () => {
  const upstream = startUpstream()
  const { memsvc, service, asked } = await startCommands()
  const file = join(service.config.dataDir, 'headers.txt')
  await Bun.write(file, LINES)
  const url = ['--url', upstream.url]
  const ran = [
    await memsvc(['integration', 'add', 'file', ...url, '--headers-file', file]),
    await memsvc(['integration', 'add', 'variable', ...url, '--headers-env', 'HUB'], { HUB: LINES }),
    await memsvc(['integration', 'add', 'question', ...url, '--ask', 'Authorization'], { said: 'upstream-token' }),
    await memsvc(['integration', 'list', '--json']),
  ]
  expect(ran.map(({ status }) => status)).toEqual([0, 0, 0, 0])
  expect(JSON.stringify(ran)).not.toContain('upstream-token')
  expect(asked).toEqual(['Authorization: '])
  const sent = upstream.calls('tools/list').map(({ headers }) => [headers.get('authorization'), headers.get('x-team')])
  expect(sent).toEqual([
    ['Bearer upstream-token', 'a'],
    ['Bearer upstream-token', 'a'],
    ['Bearer upstream-token', null],
  ])
  await memsvc(['integration', 'change', 'file', '--ask', 'authorization'], { said: 'Basic abc' })
  await memsvc(['integration', 'test', 'file'])
  const last = upstream.calls('tools/list').at(-1)?.headers
  expect([last?.get('authorization'), last?.get('x-team')]).toEqual(['Basic abc', 'a'])
})

test('describes the read-only code host by itself', async () => {
  const { json, memsvc } = await startCommands()
  // It is not to be reached: nothing listens at this address.
  await memsvc(['integration', 'add', 'github', '--preset', 'github', '--url', 'http://127.0.0.1:1/mcp/'])
  expect(await json('integration', 'list')).toMatchObject([
    { slug: 'github', name: 'GitHub', mode: 'read-only', tools: ['get_file_contents', 'get_me', 'pull_request_read'] },
  ])
})

test('adds a server that is down, and reports that with the kind of failure', async () => {
  const { memsvc } = await startCommands()
  const added = await memsvc(['integration', 'add', 'hub', '--url', 'http://127.0.0.1:1/mcp', '--json'])
  expect(added.status).toBe(0)
  expect(JSON.parse(added.out)).toMatchObject({
    works: false,
    failure: { kind: 'unreachable', text: 'it cannot be reached' },
    listed: [],
  })
})

test('adds an address that this command line may not call, since the service may, and says so', async () => {
  const { withoutAllowance, json } = await startCommands()
  const reason =
    'its address may not be called; it is called by http, or is not on the public internet; the operator of this service can allow it: SVC_OUTBOUND_ALLOW=127.0.0.1'
  const { status, out } = await withoutAllowance('integration', 'add', 'hub', '--url', 'http://127.0.0.1:1/mcp')
  expect([status, out]).toEqual([0, expect.stringContaining(`it does not work (address): ${reason}\n`)])
  expect(await json('integration', 'list')).toMatchObject([{ url: 'http://127.0.0.1:1/mcp' }])
  expect(await withoutAllowance('integration', 'test', 'hub')).toEqual({
    status: 1,
    out: `it does not work (address): ${reason}\n`,
    err: "memsvc: integration 'hub' does not work\n",
  })
})

test('removes a server, refuses what is not there, and notes every change', async () => {
  const { memsvc, json, refusal, service, account } = await startCommands()
  const add = ['integration', 'add', 'hub', '--url', 'http://127.0.0.1:1/mcp']
  await memsvc(add)
  expect(await memsvc(add)).toMatchObject({ status: 1, err: "memsvc: there is already an integration 'hub'\n" })
  expect(await refusal('integration', 'add', 'other')).toBe('give --url or --preset')
  expect(await refusal('integration', 'enable', 'hub', '--project', 'nope')).toBe("no project 'nope'")
  expect(await refusal('integration', 'disable', 'hub', '--project', 'default')).toBe(
    "integration 'hub' is not enabled for project 'default'",
  )
  await json('integration', 'enable', 'hub', '--project', 'default')
  expect(await json('integration', 'rotate-secret')).toEqual({ credentials: 1 })
  expect(await json('integration', 'remove', 'hub')).toEqual({ slug: 'hub', removed: true })
  expect(await refusal('integration', 'enable', 'hub', '--project', 'default')).toBe("no integration 'hub'")
  const lines = await service.store.control.listAudit({ limit: 10 })
  expect(lines.map(({ act }) => act).filter((act) => /^(integration|secret)/.test(act))).toEqual([
    'integration.remove',
    'secret.rotate',
    'integration.enable',
    'integration.test',
    'integration.add',
  ])
  expect(await service.store.control.list('integrations', { accountId: account.id })).toEqual([])
})

test('shows what a server has changed of its tools, and accepts exactly that', async () => {
  const tools = [tool('find', { description: 'Finds pages.' })]
  const upstream = startUpstream({ 'tools/list': () => ({ tools }) })
  const { memsvc } = await startCommands()
  await memsvc(['integration', 'add', 'hub', '--url', upstream.url])
  expect((await memsvc(['integration', 'changes', 'hub'])).out).toBe('hub has no tools that wait to be accepted\n')
  tools[0] = tool('find', { description: 'Finds pages, and \u001b[2Jmore.' })
  await memsvc(['integration', 'test', 'hub'])
  const { out } = await memsvc(['integration', 'changes', 'hub'])
  const lines = [
    'find (changed)',
    '  title: find',
    '  annotated read-only: yes',
    '  description:',
    '- Finds pages.',
    '+ Finds pages, and \\u{1b}[2Jmore.',
  ]
  expect(out.split('\n').slice(0, 6)).toEqual(lines)
  const seen = /--seen ([0-9a-f]+)$/m.exec(out)?.[1] ?? ''
  expect((await memsvc(['integration', 'accept', 'hub', '--seen', 'other'])).err).toContain('look at them again')
  expect((await memsvc(['integration', 'accept', 'hub', '--seen', seen])).out).toBe(
    'hub offers find from the next call on\n',
  )
  expect((await memsvc(['integration', 'changes', 'hub'])).out).toContain('no tools that wait')
})

test('changes what is given of an integration, and nothing else', async () => {
  const upstream = startUpstream()
  const { memsvc } = await startCommands()
  await memsvc(['integration', 'add', 'hub', '--url', upstream.url, '--stateful'])
  const read = async () => JSON.parse((await memsvc(['integration', 'list', '--json'])).out)
  expect(await read()).toMatchObject([{ timeout_ms: 300_000, stateful: true, withheld: 0 }])
  expect((await memsvc(['integration', 'change', 'hub', '--timeout', 'long'])).status).toBe(1)
  expect((await memsvc(['integration', 'change', 'hub'])).err).toContain('give what is to be changed')
  await memsvc(['integration', 'change', 'hub', '--timeout', '90', '--no-stateful'])
  expect(await read()).toMatchObject([{ timeout_ms: 90_000, stateful: false }])
  await memsvc([
    'integration',
    'change',
    'hub',
    '--name',
    'The hub',
    '--mode',
    'read-write',
    '--tool',
    'echo',
    '--url',
    `${upstream.url}?x=1`,
  ])
  expect(await read()).toMatchObject([
    { name: 'The hub', mode: 'read-write', tools: ['echo'], url: `${upstream.url}?x=1`, timeout_ms: 90_000 },
  ])
  await memsvc(['integration', 'change', 'hub', '--all-tools'])
  expect(await read()).toMatchObject([{ tools: null, name: 'The hub' }])
})
