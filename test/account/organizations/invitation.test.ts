import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { acceptInvitation, requireInvitation } from '../../../src/account/organizations/invitation.ts'
import { requireMember } from '../../../src/account/organizations/member.ts'
import { DAY_MS } from '../../../src/clock.ts'
import { commandsBeside, toEnvironment } from '../../command-line.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { runCommand } from '../../run-cli.ts'
import { startService } from '../../start-service.ts'
import { readControlText } from '../../stored-data.ts'

const NOT_VALID = 'this invitation is no longer valid; ask for a new one'

async function startInvited(...options: string[]) {
  const running = await startService({ config: { publicUrl: 'https://memory.example.org' } })
  const commands = commandsBeside(running.service)
  await commands.json('department', 'add', 'Stones')
  const invite = async (...more: string[]) => {
    const { link } = await commands.json<{ link: string }>('member', 'invite', '--email', 'Ann@Example.org', ...more)
    return link.split('/').at(-1) ?? ''
  }
  const token = await invite('--department', 'Stones', '--role', 'admin', ...options)
  const accept = (secret: string, name = 'Ann') =>
    acceptInvitation(running.service, { token: secret, name, password: 'correct horse battery', clientIp: '192.0.2.7' })
  const members = () => commands.json<object[]>('member', 'list')
  return { ...running, ...commands, invite, token, accept, members }
}

test('makes the invited person a member, as invited, once', async () => {
  const { token, accept, members, json } = await startInvited()
  await accept(token, ' Ann Miller ')
  expect(await members()).toMatchObject([
    { role: 'owner' },
    { email: 'ann@example.org', name: 'Ann Miller', role: 'admin', department: 'Stones' },
  ])
  expect(await rejectionOf(accept(token))).toContain(NOT_VALID)
  expect(await json<object[]>('member', 'invitations')).toEqual([])
  const [{ who, origin } = {}, second] = await json<Record<string, string>[]>('audit', '--limit', '2')
  expect([who, origin]).toEqual(['Ann Miller', '192.0.2.7'])
  expect(second).toMatchObject({ act: 'member.join', who: 'Ann Miller', origin: '192.0.2.7' })
})

test('a person who has not accepted yet is no member, which is said where one is named', async () => {
  const { service, account } = await startInvited()
  for (const of of [undefined, account])
    expect(await rejectionOf(requireMember(service, COMMAND_LINE, 'Ann@example.org', of))).toBe(
      "no member 'Ann@example.org' yet: the invitation was not accepted",
    )
})

test('a link to this machine alone is said to be one', async () => {
  for (const [publicUrl, isLocal] of [
    ['http://127.0.0.1:8787', true],
    ['https://memory.example.org', false],
  ] as const) {
    const { service } = await startService()
    const environment = { ...toEnvironment(service.config), SVC_PUBLIC_URL: publicUrl }
    const { out } = await runCommand({ ...service, environment }, ['member', 'invite', '--email', 'ann@example.org'])
    expect(out.includes('Its address is of this machine alone')).toBe(isLocal)
  }
})

test('lets the link work until its time, and not from then on', async () => {
  const { token, service, accept, pass } = await startInvited('--valid', '2d')
  pass(2 * DAY_MS - 1)
  expect((await requireInvitation(service, token)).invitation).toMatchObject({
    email: 'ann@example.org',
    role: 'admin',
  })
  pass(1)
  expect(await rejectionOf(requireInvitation(service, token))).toContain(NOT_VALID)
  expect(await rejectionOf(accept(token))).toContain(NOT_VALID)
})

test('leads nobody into a suspended account, and works again once that is resumed', async () => {
  const { token, accept, json, members } = await startInvited()
  await json('account', 'suspend', 'default')
  expect(await rejectionOf(accept(token))).toContain(NOT_VALID)
  expect(await members()).toHaveLength(1)
  await json('account', 'resume', 'default')
  await accept(token)
  expect(await members()).toHaveLength(2)
})

test('keeps no link: lists show who, and the data only a hash', async () => {
  const { token, memsvc, service } = await startInvited()
  const { out } = await memsvc('member', 'invitations')
  expect(out).toContain('ann@example.org')
  expect(out).not.toContain(token)
  await service.store.check()
  expect(await readControlText(service.config)).not.toContain(token)
})

test('makes a link worthless by withdrawing it, or by a newer one', async () => {
  const { token, invite, accept, json, refusal } = await startInvited()
  const second = await invite()
  expect(await rejectionOf(accept(token))).toContain(NOT_VALID)
  await json('member', 'uninvite', 'ann@example.org')
  expect(await rejectionOf(accept(second))).toContain(NOT_VALID)
  expect(await refusal('member', 'uninvite', 'ann@example.org')).toBe("no invitation of 'ann@example.org'")
})

test('invites nobody who is a member of the account; what another account has does not matter', async () => {
  const { token, accept, json, refusal } = await startInvited()
  await json('account', 'add', 'Mill')
  await json('member', 'add', '--account', 'Mill', '--email', 'ann@example.org', '--name', 'Ann')
  await accept(token)
  const taken = "'ann@example.org' is already a member of the account"
  expect(await refusal('member', 'invite', '--account', 'default', '--email', 'ann@example.org')).toBe(taken)
})

test('refuses validities that are none', async () => {
  const { refusal } = await startInvited()
  const invite = ['member', 'invite', '--email', 'b@example.org', '--valid']
  expect(await refusal(...invite, '31d')).toBe('an invitation is valid for at most 30 days')
  expect(await refusal(...invite, '0')).toBe('an invitation is valid for at most 30 days')
  expect(await refusal(...invite, 'long')).toBe("--valid must be a time span such as 30m, 24h or 7d, not 'long'")
})
