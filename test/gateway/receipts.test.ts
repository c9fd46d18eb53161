import { expect, test } from 'bun:test'
import { authenticate } from '../../src/account/auth/authenticate.ts'
import { createCallReceipts } from '../../src/gateway/call-receipts.ts'
import { waitUntil } from '../wait-until.ts'
import { startGateway } from './start-gateway.ts'
import { startUpstream, tool } from './upstreams.ts'

test('leaves a receipt of every call in the audit log, without arguments and contents', async () => {
  const answers: unknown[] = [
    { content: [{ type: 'text', text: 'contents' }] },
    { content: [], isError: true },
    new Response('', { status: 500 }),
  ]
  const upstream = startUpstream({
    'tools/list': () => ({ tools: [tool('echo'), tool('wipe', { annotations: {} })] }),
    'tools/call': () => answers.shift(),
  })
  const { service, raw, call, account, project, owner, key } = await startGateway({ url: upstream.url })
  for (let i = 0; i < 3; i++) await raw('hub.echo', { argument: 'arguments' })
  await call('gateway_call', { integration: 'hub', tool: 'wipe' })
  await service.gateway.close()
  const lines = (
    await service.store.control.listAudit({ accountId: account.id, act: 'integration.call', limit: 10 })
  ).toReversed()
  expect(lines.map(({ outcome, details }) => [outcome, details.tool, details.outcome])).toEqual([
    ['done', 'echo', 'done'],
    ['done', 'echo', 'error'],
    ['failed', 'echo', 'status'],
    ['refused', 'wipe', 'refused'],
  ])
  expect(lines[0]).toMatchObject({
    projectId: project.id,
    actor: `member:${owner.id}`,
    target: 'hub',
    details: { key: key.id, milliseconds: 0 },
  })
  expect(Number(lines[0]?.details.bytes)).toBeGreaterThan(50)
  expect(JSON.stringify(lines)).not.toMatch(/arguments|contents/)
})

test('writes the receipts of a second together, after the answers', async () => {
  const upstream = startUpstream()
  const { service, secret, call, connect } = await startGateway({ url: upstream.url })
  const countLines = async () => (await service.store.control.listAudit({ act: 'integration.call', limit: 200 })).length
  await Promise.all(Array.from({ length: 50 }, () => call('hub.echo')))
  await waitUntil('the receipts are written', async () => (await countLines()) === 50)

  // On a busy machine the calls took more than a second, these take none.
  const { control } = service.store
  let writes = 0
  const write: typeof control.write = (act) => {
    writes += 1
    return control.write(act)
  }
  const receipts = createCallReceipts({ ...service, store: { ...service.store, control: { ...control, write } } })
  const caller = await authenticate(service, `Bearer ${secret}`)
  const integration = await connect({ url: upstream.url, slug: 'other' })
  for (let nth = 0; nth < 50; nth++)
    receipts.add({ integration, caller, tool: 'echo', outcome: 'done', milliseconds: 1, bytes: 1 })
  expect(writes).toBe(0)
  await waitUntil('these are written too', async () => (await countLines()) === 100)
  expect(writes).toBe(1)
})

test('whoever waits for receipts waits also for those that are being written for somebody else', async () => {
  const upstream = startUpstream()
  const { service, call } = await startGateway({ url: upstream.url })
  await call('hub.echo')
  const first = service.gateway.close()
  await service.gateway.close()
  expect(await service.store.control.listAudit({ act: 'integration.call', limit: 10 })).toBeArrayOfSize(1)
  await first
})
