import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { authenticate } from '../../src/account/auth/authenticate.ts'
import { changeIntegration } from '../../src/gateway/change-integration.ts'
import { rotateCredentials } from '../../src/gateway/credentials.ts'
import {
  addIntegration,
  disableIntegration,
  enableIntegration,
  removeIntegration,
} from '../../src/gateway/integration.ts'
import { probeIntegration } from '../../src/gateway/probe.ts'
import { acceptTools, reviewToolChanges } from '../../src/gateway/tool-changes.ts'
import { rejectionOf } from '../rejection-of.ts'
import { startGateway } from './start-gateway.ts'
import { startUpstream } from './upstreams.ts'

test('a caller of tools changes nothing of integrations, whoever holds the key', async () => {
  const upstream = startUpstream()
  const { service, account, project, secret, connect } = await startGateway()
  const integration = await connect({ url: upstream.url })
  const actor = { kind: 'caller' as const, caller: await authenticate(service, `Bearer ${secret}`) }
  const attempts = [
    addIntegration(service, actor, account, { slug: 'other', url: upstream.url }),
    enableIntegration(service, actor, { integration, project }),
    disableIntegration(service, actor, { integration, project }),
    removeIntegration(service, actor, integration),
    probeIntegration(service, actor, integration),
    changeIntegration(service, actor, integration, { stateful: true, headers: { 'x-team': 'a' } }),
    reviewToolChanges(service, actor, integration),
    acceptTools(service, actor, integration, { seen: '' }),
  ]
  for (const attempt of attempts)
    expect(await rejectionOf(attempt)).toContain('only an owner or an admin of the account may do this')
  expect(await service.store.control.list('integrations', { accountId: account.id })).toEqual([integration])
  expect(
    (await service.store.control.list('enabledIntegrations', { integrationId: integration.id })).map(
      ({ projectId }) => projectId,
    ),
  ).toEqual([project.id])
  expect(upstream.got).toEqual([])
})

test('a header of 4 096 characters is kept, a longer one is refused by its name', async () => {
  const upstream = startUpstream()
  const { service, connect, call } = await startGateway()
  const value = 'a'.repeat(4_096)
  const integration = await connect({ url: upstream.url, headers: { 'X-Team': value } })
  await call('gateway_call', { integration: integration.slug, tool: 'read' })
  expect(upstream.got.at(-1)?.headers.get('x-team')).toBe(value)
  const refusal = await rejectionOf(
    changeIntegration(service, COMMAND_LINE, integration, { headers: { 'X-Team': `${value}a` } }),
  )
  expect(refusal).toContain("the value of the header 'X-Team' must have 1 to 4096 printable ASCII characters")
})

test('the key of all credentials is the operator’s alone', async () => {
  const { service, account, owner, connect } = await startGateway()
  const integration = await connect({ url: 'https://mcp.example.org/one' })
  const actor = { kind: 'member' as const, member: owner, account, clientIp: null }
  expect(await rejectionOf(rotateCredentials(service, actor))).toContain('only the operator may do this')
  expect(await service.store.control.list('integrations', { accountId: account.id })).toEqual([integration])
  expect(await rotateCredentials(service, COMMAND_LINE)).toBe(1)
})
