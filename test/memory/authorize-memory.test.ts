import { expect, test } from 'bun:test'
import { type Actor, COMMAND_LINE, type MemberActor } from '../../src/account/auth/actor.ts'
import { actingAs } from '../../src/account/auth/caller.ts'
import { changeAccess } from '../../src/account/organizations/project-access.ts'
import { endSubscription } from '../../src/account/subscription/subscription.ts'
import { moveRecord } from '../../src/memory/records/bulk/move.ts'
import { forgetRecords } from '../../src/memory/records/trash/forget.ts'
import { restoreRecord } from '../../src/memory/records/trash/restore.ts'
import { verifyRecord } from '../../src/memory/records/verify.ts'
import { exportRecords } from '../../src/memory/transfer/export-records.ts'
import { importRecords } from '../../src/memory/transfer/import-records.ts'
import { authorizeMemories } from '../../src/memory/visibility.ts'
import { mergeWorkspaces, renameWorkspace } from '../../src/memory/workspaces/change-workspace.ts'
import { removeWorkspace } from '../../src/memory/workspaces/remove-workspace.ts'

import { rememberAs } from '../as-caller.ts'
import { toActor } from '../builders/organization.ts'
import { rejectionOf } from '../rejection-of.ts'
import { startService } from '../start-service.ts'

const NO_PROJECT = 'there is no such project, or it is not open to you'

async function startWithMember() {
  const running = await startService()
  const { service, org, account, project, owner } = running
  const member = await org.addMember('Ben')
  const { id } = await rememberAs(service, actingAs(account, project, owner), { content: 'The well is deep' })
  return { ...running, member, place: { projectId: project.id, id }, byMember: await toActor(service, member) }
}

test('a caller has no project but that of their key', async () => {
  const { service, org, account, project, owner, place } = await startWithMember()
  const other = await org.addProject('other')
  const actor: Actor = { kind: 'caller', caller: actingAs(account, other, owner) }
  expect(await rejectionOf(forgetRecords(service, actor, place))).toContain(NO_PROJECT)
  expect(await rejectionOf(verifyRecord(service, actor, { ...place, projectId: project.id }))).toContain(NO_PROJECT)
  expect(await rejectionOf(moveRecord(service, actor, { ...place, workspace: 'research' }))).toContain(NO_PROJECT)
})

test('a member acts in the projects that are open to them, and only there', async () => {
  const { service, project, member, place, byMember } = await startWithMember()
  expect(await rejectionOf(forgetRecords(service, byMember, place))).toContain(NO_PROJECT)
  await changeAccess(service, COMMAND_LINE, { project, member, isOpen: true })
  expect(await forgetRecords(service, byMember, place)).toMatchObject({ forgotten: 1 })
})

test('of several projects a member has those that are open to them, nobody else’s, and none without a subscription', async () => {
  const { service, org, account, project, member, owner, byMember } = await startWithMember()
  const foreign = await org.addProject('shop', await org.addAccount('Elsewhere'))
  const all = [project, await org.addProject('other'), foreign]
  const open = async (actor: MemberActor) => [...(await authorizeMemories(service, actor, all, 'read')).keys()]
  expect(await open(byMember)).toEqual([])
  await changeAccess(service, COMMAND_LINE, { project, member, isOpen: true })
  expect(await open(byMember)).toEqual([project.id])
  expect(await open(await toActor(service, owner))).toEqual(all.slice(0, 2).map(({ id }) => id))
  expect((await authorizeMemories(service, byMember, all, 'read')).get(project.id)?.visible).toEqual([
    '*',
    `a:${member.id}`,
  ])
  const expired = { ...byMember, account: { ...account, subscribedAt: null } }
  expect(await rejectionOf(open(expired))).toContain('This account has no active subscription')
})

test('nobody who is not authenticated acts on records', async () => {
  const { service, place } = await startWithMember()
  expect(await rejectionOf(forgetRecords(service, { kind: 'anonymous', clientIp: null }, place))).toContain(NO_PROJECT)
})

test('workspaces, imports and exports are for those who manage the account', async () => {
  const { service, project, member, place, byMember } = await startWithMember()
  await changeAccess(service, COMMAND_LINE, { project, member, isOpen: true })
  const { projectId } = place
  const refusal = 'only an owner or an admin of the account may do this'
  expect(await rejectionOf(removeWorkspace(service, byMember, { projectId, name: 'default' }))).toContain(refusal)
  expect(
    await rejectionOf(renameWorkspace(service, byMember, { projectId, name: 'default', newName: 'other' })),
  ).toContain(refusal)
  expect(
    await rejectionOf(mergeWorkspaces(service, byMember, { projectId, name: 'default', into: 'other' })),
  ).toContain(refusal)
  expect(await rejectionOf(exportRecords(service, byMember, { projectId, workspace: undefined }).next())).toContain(
    refusal,
  )
  const watch = { refused: () => {}, progress: () => {}, isStopped: () => false }
  const input = { projectId, workspace: undefined, member: undefined, items: (async function* () {})(), watch }
  expect(await rejectionOf(importRecords(service, byMember, input))).toContain(refusal)
})

test('without a subscription members change nothing, and the operator does', async () => {
  const { service, account, owner, place, pass } = await startWithMember()
  await endSubscription(service, COMMAND_LINE, { account, at: service.clock.now() })
  pass(1)
  expect(await rejectionOf(forgetRecords(service, await toActor(service, owner), place))).toContain(
    'Memory is read-only during the grace period',
  )
  expect(await forgetRecords(service, COMMAND_LINE, place)).toMatchObject({ forgotten: 1 })
  expect(await restoreRecord(service, COMMAND_LINE, place)).toMatchObject({ workspace: 'default' })
})
