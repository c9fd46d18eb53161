import { expect, test } from 'bun:test'
import { listVisibleEvents } from '../../../src/account/audit/visible-audit.ts'
import { type Actor, COMMAND_LINE, SERVICE, toMemberActor } from '../../../src/account/auth/actor.ts'
import { toCaller } from '../../../src/account/auth/caller.ts'
import { makeEntryLink } from '../../../src/account/auth/entry-link.ts'
import { issueKey, revokeKey, rotateKey } from '../../../src/account/keys/key.ts'
import { overrideLimits } from '../../../src/account/limits/override-limits.ts'
import { addAccount, renameAccount, resumeAccount, suspendAccount } from '../../../src/account/organizations/account.ts'
import { changeMember, removeMember } from '../../../src/account/organizations/change-member.ts'
import {
  addDepartment,
  removeDepartment,
  renameDepartment,
  requireDepartment,
} from '../../../src/account/organizations/department.ts'
import { inviteMember, withdrawInvitation } from '../../../src/account/organizations/invitation.ts'
import { addMember, requireMember } from '../../../src/account/organizations/member.ts'
import { readPeople } from '../../../src/account/organizations/people.ts'
import { changePolicy } from '../../../src/account/organizations/policies.ts'
import { decideEmailChange, listEmailChanges } from '../../../src/account/organizations/profile.ts'
import { addProject, removeProject, renameProject } from '../../../src/account/organizations/project.ts'
import { changeAccess } from '../../../src/account/organizations/project-access.ts'
import { dropSubscription, endSubscription, subscribe } from '../../../src/account/subscription/subscription.ts'
import { DAY_MS } from '../../../src/clock.ts'
import { Refusal } from '../../../src/errors.ts'
import { revokeConnection } from '../../../src/oauth/connection.ts'
import { startOrganization } from '../../http/console/organization.ts'
import { connectTo } from '../../http/oauth/flow.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { readControl } from '../../stored-data.ts'

/** An organization with one of everything that can be changed, and an actor of every kind. */
async function startActing() {
  const running = await startOrganization()
  const { service, org, account, url, secret, key, owner, admin, member, stranger, elsewhere, held } = running
  await connectTo(url).connect(secret)
  const department = await org.addDepartment('Stones')
  await inviteMember(service, COMMAND_LINE, { account, email: 'ann@example.org', role: 'member', validityMs: DAY_MS })
  const [connection] = await service.store.control.listConnections({})
  const holder = await service.store.control.findKeyHolder({ digest: key.digest })
  if (connection === undefined || holder === undefined) throw new Error('the owner has no connection')
  const actors = {
    operator: COMMAND_LINE,
    service: SERVICE,
    owner: toMemberActor({ member: owner, account }, null),
    admin: toMemberActor({ member: admin, account }, null),
    member: toMemberActor({ member, account }, null),
    'owner of another account': toMemberActor({ member: stranger, account: elsewhere }, null),
    'caller with the owner’s key': { kind: 'caller', caller: toCaller(holder, false) },
    'application of another key': { kind: 'application', keyId: held.key.id, clientIp: null },
    anonymous: { kind: 'anonymous', clientIp: null },
  } satisfies Record<string, Actor>
  const other = await org.issueKey({ label: 'service' })
  return { ...running, department, connection, actors, serviceKey: other.key, ownersKey: key }
}

type Acting = Awaited<ReturnType<typeof startActing>>
type Act = (acting: Acting, actor: Actor) => unknown

const OPERATOR_ACTS: Record<string, Act> = {
  addAccount: ({ service }, actor) => addAccount(service, actor, { name: 'New', plan: 'team' }),
  suspendAccount: ({ service, account }, actor) => suspendAccount(service, actor, account),
  'requireMember of any account': ({ service, member }, actor) => requireMember(service, actor, member.email),
}

/** What an owner of the first account may do too, of every account. */
const FIRST_OWNER_ACTS: Record<string, Act> = {
  resumeAccount: ({ service, account }, actor) => resumeAccount(service, actor, account),
  overrideLimits: ({ service, account }, actor) =>
    overrideLimits(service, actor, { account, overrides: { records: '5' } }),
  subscribe: ({ service, account }, actor) => subscribe(service, actor, { account, plan: 'team', until: null }),
  endSubscription: ({ service, account }, actor) => endSubscription(service, actor, { account, at: 0 }),
  dropSubscription: ({ service, account }, actor) => dropSubscription(service, actor, account),
}

const OWNER_ACTS: Record<string, Act> = {
  renameAccount: ({ service, account }, actor) => renameAccount(service, actor, { account, name: 'Renamed' }),
  removeProject: ({ service, project }, actor) => removeProject(service, actor, project),
  'addMember as an owner': ({ service, account }, actor) =>
    addMember(service, actor, { account, email: 'bob@example.org', name: 'Bob', role: 'owner' }),
  'inviteMember as an owner': ({ service, account }, actor) =>
    inviteMember(service, actor, { account, email: 'bob@example.org', role: 'owner', validityMs: DAY_MS }),
  'changeMember to owner': ({ service, member }, actor) => changeMember(service, actor, { member, role: 'owner' }),
  'changeMember of an owner': ({ service, owner, department }, actor) =>
    changeMember(service, actor, { member: owner, role: 'owner', department }),
  'makeEntryLink of an owner': ({ service, owner }, actor) => makeEntryLink(service, actor, owner),
}

const MANAGER_ACTS: Record<string, Act> = {
  changePolicy: ({ service, account }, actor) =>
    changePolicy(service, actor, { account, kind: 'credentials', policy: 'mask' }),
  readPeople: ({ service, account }, actor) => readPeople(service, actor, account.id),
  requireMember: ({ service, account, member }, actor) => requireMember(service, actor, member.id, account),
  requireDepartment: ({ service, account }, actor) => requireDepartment(service, actor, account, 'Stones'),
  listEmailChanges: ({ service, account }, actor) => listEmailChanges(service, actor, account.id),
  addDepartment: ({ service, account }, actor) => addDepartment(service, actor, { account, name: 'Wheel' }),
  renameDepartment: ({ service, department }, actor) => renameDepartment(service, actor, { department, name: 'Water' }),
  removeDepartment: ({ service, department }, actor) => removeDepartment(service, actor, department),
  addMember: ({ service, account }, actor) =>
    addMember(service, actor, { account, email: 'bob@example.org', name: 'Bob', role: 'member' }),
  'changeMember, the department': ({ service, member, department }, actor) =>
    changeMember(service, actor, { member, department }),
  'changeMember, the role': ({ service, member }, actor) => changeMember(service, actor, { member, role: 'admin' }),
  changeMember: ({ service, member, department }, actor) =>
    changeMember(service, actor, { member, role: 'admin', department }),
  removeMember: ({ service, member }, actor) => removeMember(service, actor, member),
  makeEntryLink: ({ service, member }, actor) => makeEntryLink(service, actor, member),
  inviteMember: ({ service, account }, actor) =>
    inviteMember(service, actor, { account, email: 'bob@example.org', role: 'member', validityMs: DAY_MS }),
  withdrawInvitation: ({ service, account }, actor) =>
    withdrawInvitation(service, actor, { account, email: 'ann@example.org' }),
  addProject: ({ service, account }, actor) => addProject(service, actor, { account, name: 'New' }),
  renameProject: ({ service, project }, actor) => renameProject(service, actor, { project, name: 'Renamed' }),
  'changeAccess, open': ({ service, closed, member }, actor) =>
    changeAccess(service, actor, { project: closed, member, isOpen: true }),
  'changeAccess, close': ({ service, project, member }, actor) =>
    changeAccess(service, actor, { project, member, isOpen: false }),
  'issueKey of a service': ({ service, project }, actor) => issueKey(service, actor, { project }),
  'revokeKey of a service': ({ service, serviceKey }, actor) => revokeKey(service, actor, serviceKey),
  'revokeKey of the owner': ({ service, ownersKey }, actor) => revokeKey(service, actor, ownersKey),
  'rotateKey of a service': ({ service, serviceKey }, actor) =>
    rotateKey(service, actor, { key: serviceKey, overlapMs: 0 }),
  'revokeConnection of the owner': ({ service, connection }, actor) => revokeConnection(service, actor, connection),
}

/** What an act threw, or undefined. */
async function attempt(act: Act, acting: Acting, actor: Actor): Promise<unknown> {
  try {
    await act(acting, actor)
    return undefined
  } catch (error) {
    return error
  }
}

const KINDS = ['operator', 'service', 'owner', 'admin', 'member', 'owner of another account'] as const
const NOBODY = ['caller with the owner’s key', 'application of another key', 'anonymous'] as const

/** For every act, the first of KINDS that may not do it. */
const ACTS = [
  ...Object.entries(OPERATOR_ACTS).map(([name, act]) => ({ name, act, allowed: 2 })),
  ...Object.entries(FIRST_OWNER_ACTS).map(([name, act]) => ({ name, act, allowed: 3 })),
  ...Object.entries(OWNER_ACTS).map(([name, act]) => ({ name, act, allowed: 3 })),
  ...Object.entries(MANAGER_ACTS).map(([name, act]) => ({ name, act, allowed: 4 })),
]

test('every function that changes an account refuses all who may not, and changes nothing', async () => {
  const acting = await startActing()
  const before = await readControl(acting.service.config)
  const done: string[] = []
  for (const { name, act, allowed } of ACTS) {
    for (const kind of [...KINDS.slice(allowed), ...NOBODY]) {
      const error = await attempt(act, acting, acting.actors[kind])
      if (!(error instanceof Refusal)) done.push(`${name} by ${kind}: ${error}`)
    }
  }
  expect(done).toEqual([])
  expect(await readControl(acting.service.config)).toEqual(before)
})

test.each(ACTS)('$name lets the least of those do it who may', async ({ act, allowed }) => {
  const acting = await startActing()
  const least = KINDS[allowed - 1] ?? 'operator'
  expect(await attempt(act, acting, acting.actors[least])).toBeUndefined()
})

test('a member issues, rotates and revokes keys of their own, and of nobody else', async () => {
  const { service, actors, project, closed, member, admin, ownersKey } = await startActing()
  const { key } = await issueKey(service, actors.member, { project, member })
  const rotated = await rotateKey(service, actors.member, { key, overlapMs: 0 })
  await revokeKey(service, actors.member, rotated.key)
  expect(await rejectionOf(issueKey(service, actors.member, { project: closed, member }))).toContain(
    'there is no such project',
  )
  expect(await rejectionOf(issueKey(service, actors.member, { project, member: admin }))).toContain(
    'only an owner or an admin',
  )
  expect(await rejectionOf(rotateKey(service, actors.member, { key: ownersKey, overlapMs: 0 }))).toContain(
    'there is no such key',
  )
})

test('who manages an account issues and rotates no key that somebody else holds: they would read drafts with it', async () => {
  const { service, actors, project, member, held } = await startActing()
  expect(await rejectionOf(issueKey(service, actors.owner, { project, member }))).toContain(
    'a key for somebody else is issued by themselves',
  )
  expect(await rejectionOf(rotateKey(service, actors.owner, { key: held.key, overlapMs: 0 }))).toContain(
    'a key is rotated by its holder',
  )
  await issueKey(service, COMMAND_LINE, { project, member })
})

test('an admin decides no request of an owner for another e-mail address', async () => {
  const { service, account, actors, owner } = await startActing()
  const { id: memberId } = owner
  const email = 'new@example.org'
  await service.store.control.write((tx) => tx.save('emailChanges', { memberId, email, requestedAt: 0 }))
  const decision = { accountId: account.id, memberId, email, isConfirmed: true }
  expect(await rejectionOf(decideEmailChange(service, actors.member, decision))).toContain('only an owner or an admin')
  expect(await rejectionOf(decideEmailChange(service, actors.admin, decision))).toContain(
    'only an owner may make, change or remove an owner',
  )
  await decideEmailChange(service, actors.owner, decision)
  expect((await service.store.control.findMembers(memberId, 1))[0]).toMatchObject({ email })
})

test('the audit log of an account is read by who manages it', async () => {
  const { service, actors } = await startActing()
  expect((await listVisibleEvents(service, actors.admin, {}, { limit: 1 })).rows.length).toBe(1)
  expect(await rejectionOf(listVisibleEvents(service, actors.member, {}, { limit: 1 }))).toContain(
    'only an owner or an admin',
  )
})
