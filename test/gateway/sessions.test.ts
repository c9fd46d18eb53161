import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { authenticate } from '../../src/account/auth/authenticate.ts'
import { issueKey } from '../../src/account/keys/key.ts'
import { addProject } from '../../src/account/organizations/project.ts'
import { changeIntegration } from '../../src/gateway/change-integration.ts'
import { enableIntegration } from '../../src/gateway/integration.ts'
import { rejectionOf } from '../rejection-of.ts'
import { waitUntil } from '../wait-until.ts'
import { startGateway } from './start-gateway.ts'
import { startUpstream } from './upstreams.ts'

/**
 * An upstream that numbers its sessions and answers a call with its session's number. `forget` makes it forget all of
 * them, `fail` answer every call with a status.
 */
function startSessions() {
  const sessions = new Set<string>()
  let last = 0
  let failure: number | undefined
  const upstream = startUpstream(
    {
      initialize: ({ id }) => {
        last += 1
        sessions.add(String(last))
        const result = {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'x', version: '1' },
        }
        return Response.json({ jsonrpc: '2.0', id, result }, { headers: { 'mcp-session-id': String(last) } })
      },
      'tools/call': ({ headers }) => {
        const id = headers.get('mcp-session-id') ?? 'none'
        if (failure !== undefined) return new Response('not now', { status: failure })
        return sessions.has(id)
          ? { content: [{ type: 'text', text: id }] }
          : new Response('no such session', { status: 404 })
      },
    },
    'handshake',
  )
  const ended = () => upstream.calls('DELETE').map(({ headers }) => headers.get('mcp-session-id'))
  const fail = (status: number | undefined) => {
    failure = status
  }
  return { ...upstream, ended, fail, forget: () => sessions.clear() }
}

/** A gateway with two projects, and calls of three keys: two of the first project, one of the second. */
async function startProjects(upstream: { url: string }, stateful = false) {
  const gateway = await startGateway()
  const { service, account, project, as, call } = gateway
  const integration = await gateway.connect({ url: upstream.url, stateful })
  const other = await addProject(service, COMMAND_LINE, { account, name: 'other' })
  await enableIntegration(service, COMMAND_LINE, { integration, project: other })
  const [second, third] = [
    await issueKey(service, COMMAND_LINE, { project }),
    await issueKey(service, COMMAND_LINE, { project: other }),
  ]
  const sessionOf = async (ask: typeof call) => (await ask('hub.echo')).text
  return {
    ...gateway,
    integration,
    first: () => sessionOf(call),
    second: () => sessionOf(as(second.secret).call),
    third: () => sessionOf(as(third.secret).call),
  }
}

test('each project has a session of its own with an upstream, which its keys share', async () => {
  const { first, second, third } = await startProjects(startSessions())
  const [ofFirst, ofSecond, ofThird] = [await first(), await second(), await third()]
  expect(ofSecond).toBe(ofFirst)
  expect(ofThird).not.toBe(ofFirst)
  expect([await first(), await third()]).toEqual([ofFirst, ofThird])
})

test('each key has a session of its own where the integration is stateful, from the call on after which it is marked so', async () => {
  const upstream = startSessions()
  const { service, integration, first, second, third } = await startProjects(upstream)
  const shared = [await first(), await second()]
  expect(shared[0]).toBe(shared[1])
  await changeIntegration(service, COMMAND_LINE, integration, { stateful: true })
  expect(new Set([await first(), await second(), await third(), shared[0]]).size).toBe(4)
  await waitUntil('the shared session is ended', () => upstream.ended().includes(shared[0] ?? ''))
})

test.each([429, 502, 503])(
  'a session outlives a call that is answered with status %i, which says nothing of it',
  async (status) => {
    const upstream = startSessions()
    const { first } = await startProjects(upstream, true)
    const before = await first()
    upstream.fail(status)
    expect(await first()).toContain(`it answered with HTTP status ${status}`)
    upstream.fail(undefined)
    expect(await first()).toBe(before)
  },
)

test('a session that an upstream has forgotten is opened anew, and those of others are not touched', async () => {
  const upstream = startSessions()
  const { first, third } = await startProjects(upstream)
  const before = [await first(), await third()]
  upstream.forget()
  const after = [await first(), await third()]
  expect(new Set([...before, ...after]).size).toBe(4)
  expect([await first(), await third()]).toEqual(after)
})

test('a session that no call has used for 15 minutes is ended, and one with a call in flight is not', async () => {
  const upstream = startSessions()
  const { service, pass, first, third } = await startProjects(upstream)
  const [ofFirst, ofThird] = [await first(), await third()]
  pass(10 * 60_000)
  expect(await third()).toBe(ofThird)
  pass(5 * 60_000)
  service.gateway.closeIdle()
  await waitUntil('the idle session is ended', () => upstream.ended().includes(ofFirst))
  expect(upstream.ended()).not.toContain(ofThird)
  expect(await third()).toBe(ofThird)
  expect(await first()).not.toBe(ofFirst)
})

test('an account has at most 256 sessions: the one that was idle longest is closed for another', async () => {
  const upstream = startSessions()
  const { service, secret, pass } = await startProjects(upstream, true)
  const caller = await authenticate(service, `Bearer ${secret}`)
  const callAs = (keyId: string) =>
    service.gateway.call({ ...caller, keyId }, 'hub', 'echo', {}, { signal: new AbortController().signal })
  await callAs('oldest')
  const [oldest] = upstream.calls('tools/call').map(({ headers }) => headers.get('mcp-session-id'))
  pass(1)
  for (let at = 0; at < 250; at += 50)
    await Promise.all(Array.from({ length: 50 }, (_, more) => callAs(`key ${at + more}`)))
  for (const key of ['a', 'b', 'c', 'd', 'e']) await callAs(key)
  expect(upstream.ended()).toEqual([])
  await callAs('one too many')
  await waitUntil('the oldest session is ended', () => upstream.ended().length > 0)
  expect(upstream.ended()).toEqual([oldest ?? ''])
})

test('where all sessions of an account have calls in flight, a further one is refused', async () => {
  const released = Promise.withResolvers<object>()
  const hanging = () => startUpstream({ 'tools/call': () => released.promise })
  const upstreams = { one: hanging(), two: hanging(), three: hanging() }
  const { service, secret, connect, call } = await startGateway()
  for (const [slug, { url }] of Object.entries(upstreams)) await connect({ url, slug, stateful: true })
  const caller = await authenticate(service, `Bearer ${secret}`)
  const callAs = (slug: string, keyId: string) =>
    service.gateway.call({ ...caller, keyId }, slug, 'echo', {}, { signal: new AbortController().signal })
  const waiting = ['one', 'two'].flatMap((slug) => Array.from({ length: 128 }, (_, at) => callAs(slug, `key ${at}`)))
  const arrived = () => upstreams.one.calls('tools/call').length + upstreams.two.calls('tools/call').length
  await waitUntil('256 calls are in flight', () => arrived() === 256)
  expect(await rejectionOf(callAs('three', 'one too many'))).toMatch(/all 256 sessions of this account/)
  released.resolve({ content: [] })
  await Promise.all(waiting)
  expect(await call('three.echo')).toMatchObject({ isError: false })
})
