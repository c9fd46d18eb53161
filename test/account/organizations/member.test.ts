import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { changeMember, removeMember } from '../../../src/account/organizations/change-member.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { startService } from '../../start-service.ts'

test('keeps an owner when two are removed at once, or one is removed while the other steps down', async () => {
  const { service, org, account, owner } = await startService()
  const add = (name: string) => org.addMember(name, { role: 'owner' })
  const second = await add('Second')
  const removals = await Promise.allSettled([
    removeMember(service, COMMAND_LINE, owner),
    removeMember(service, COMMAND_LINE, second),
  ])
  expect(removals.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const third = await add('Third')
  const members = await service.store.control.list('members', { accountId: account.id })
  const left = members.filter(({ id, removedAt }) => removedAt === null && id !== third.id)
  const [first = third] = left
  const both = await Promise.allSettled([
    changeMember(service, COMMAND_LINE, { member: first, role: 'member' }),
    removeMember(service, COMMAND_LINE, third),
  ])
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})

test('lets the address of a removed member be a member’s again, as somebody new', async () => {
  const { service, org } = await startService()
  const before = await org.addMember('Ann')
  await removeMember(service, COMMAND_LINE, before)
  const after = await org.addMember('Ann')
  expect(after.id).not.toBe(before.id)
  expect(await rejectionOf(removeMember(service, COMMAND_LINE, before))).toContain("no member 'ann@example.org'")
})

test('gives one address to one of those who ask for it at once', async () => {
  const { org } = await startService()
  const add = () => org.addMember('Ann')
  const added = await Promise.allSettled([add(), add(), add()])
  expect(added.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})
