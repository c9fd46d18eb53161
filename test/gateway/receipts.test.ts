import { expect, test } from 'bun:test'
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

test('writes receipts together, after the answers', async () => {
  const upstream = startUpstream()
  const { service, call } = await startGateway({ url: upstream.url })
  await Promise.all(Array.from({ length: 50 }, () => call('hub.echo')))
  const read = () => service.store.control.listAudit({ act: 'integration.call', limit: 100 })
  await waitUntil('receipts are written', async () => (await read()).length > 0)
  expect(await read()).toBeArrayOfSize(50)
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
