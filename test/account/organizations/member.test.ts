import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { changeRole, removeMember } from '../../../src/account/organizations/change-member.ts'
import { addMember } from '../../../src/account/organizations/member.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { startService } from '../../start-service.ts'

test('keeps an owner when two are removed at once, or one is removed while the other steps down', async () => {
  const { service, account, owner } = await startService()
  const add = (email: string) => addMember(service, COMMAND_LINE, { account, email, name: 'Second', role: 'owner' })
  const second = await add('second@example.org')
  const removals = await Promise.allSettled([removeMember(service, COMMAND_LINE, owner), removeMember(service, COMMAND_LINE, second)])
  expect(removals.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const third = await add('third@example.org')
  const members = await service.store.control.listMembers(account.id)
  const left = members.filter(({ id, removedAt }) => removedAt === null && id !== third.id)
  const [first = third] = left
  const both = await Promise.allSettled([
    changeRole(service, COMMAND_LINE, { member: first, role: 'member' }),
    removeMember(service, COMMAND_LINE, third),
  ])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})

test('lets the address of a removed member be a member’s again, as somebody new', async () => {
  const { service, account } = await startService()
  const wish = { email: 'ann@example.org', name: 'Ann', role: 'member' as const }
  const before = await addMember(service, COMMAND_LINE, { account, ...wish })
  await removeMember(service, COMMAND_LINE, before)
  const after = await addMember(service, COMMAND_LINE, { account, ...wish })
  expect(after.id).not.toBe(before.id)
  expect(await rejectionOf(removeMember(service, COMMAND_LINE, before))).toContain("no member 'ann@example.org'")
})

test('gives one address to one of those who ask for it at once', async () => {
  const { service, account } = await startService()
  const add = () => addMember(service, COMMAND_LINE, { account, email: 'ann@example.org', name: 'Ann', role: 'member' })
  const added = await Promise.allSettled([add(), add(), add()])
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})
