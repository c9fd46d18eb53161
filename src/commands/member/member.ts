import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { ENTRY_PATH, makeEntryLink } from '../../account/auth/entry-link.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import { changeMember } from '../../account/organizations/change-member.ts'
import { findDepartment } from '../../account/organizations/department.ts'
import { addMember, requireMember } from '../../account/organizations/member.ts'
import { requireRole } from '../../account/organizations/names.ts'
import { toIsoTimeOrNull } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import { removeMemberAndHistories } from '../../history/erase/purge.ts'
import type { Service } from '../../service.ts'
import type { Department, Member } from '../../store/account.ts'
import { commandGroup } from '../command.ts'
import { commandOn, findAccount, onAccount, ROLE, ROLE_NAMES } from '../service-command.ts'
import { toBaseUrl } from '../settings.ts'
import { toListing } from '../terminal/text.ts'
import { invitationsCommand, inviteCommand, uninviteCommand } from './invite.ts'

const onMember = commandOn({
  arguments: { '<member>': 'e-mail, name or id' },
  options: { '--account <account>': 'name or id; only needed if several accounts have a member with that e-mail' },
  find: async (service, { account }, ref = '') =>
    requireMember(service, COMMAND_LINE, ref, await findAccount(service, account)),
})

const addCommand = onAccount('add', 'add a member to an account', {
  options: {
    '--email <address>': { help: 'their e-mail address', isRequired: true },
    '--name <name>': { help: 'how their records are signed', isRequired: true },
    '--department <department>': 'name or id',
    ...ROLE,
  },
  act: async (service, account, { email, name, role, department: ref }) => {
    const department = await findDepartment(service, COMMAND_LINE, account, ref)
    return toJson(service, await addMember(service, COMMAND_LINE, { account, email, name, role, department }))
  },
  toText: ({ email, role, id }) => `added ${role} ${email}; their id is ${id}`,
})

const listCommand = onAccount('list', 'list the members of an account', {
  options: { '--removed': 'include former members' },
  act: async ({ store }, { id: accountId }, { removed }) => {
    const members = await store.control.list('members', { accountId, removedAt: removed ? undefined : null })
    const departments = await store.control.list('departments', { accountId })
    return members.map((member) => withDepartment(member, departments))
  },
  toText: (members) =>
    toListing(
      members,
      {
        'E-MAIL': 'email',
        NAME: 'name',
        ROLE: 'role',
        DEPARTMENT: 'department',
        CREATED: 'created_at',
        REMOVED: 'removed_at',
        ID: 'id',
      },
      'no members',
    ),
})

const moveCommand = onMember(
  'move',
  'move a member to a department, or out of any; records stay with the department they were saved for',
  {
    options: { '--department <department>': 'name or id', '--none': 'remove the member from their department' },
    act: async (service, member, { department: ref, none }) => {
      if ((ref === undefined) === (none === undefined)) throw new Refusal('give one of --department and --none')
      const account = await requireAccount(service, member.accountId)
      const department = await findDepartment(service, COMMAND_LINE, account, ref)
      await changeMember(service, COMMAND_LINE, { member, department: department ?? null })
      return toJson(service, await requireMember(service, COMMAND_LINE, member.id))
    },
    toText: ({ email, department }) =>
      `${email} is now in ${department === null ? 'no department' : `department '${department}'`}`,
  },
)

const roleCommand = onMember('role', 'change the role of a member', {
  arguments: { '<role>': ROLE_NAMES },
  act: async (service, member, _options, role = '') => {
    await changeMember(service, COMMAND_LINE, { member, role: requireRole(role) })
    return toJson(service, await requireMember(service, COMMAND_LINE, member.id))
  },
  toText: ({ email, role }) => `${email} is now ${role}`,
})

const removeCommand = onMember(
  'remove',
  'remove a member: their keys are dead at once, their session histories erased; their records stay',
  {
    act: async (service, member) =>
      toJson(service, { ...member, removedAt: await removeMemberAndHistories(service, COMMAND_LINE, member) }),
    toText: ({ email }) => `removed ${email}`,
  },
)

const linkCommand = onMember(
  'link',
  'make a link by which a member comes into the console, once, and chooses a password',
  {
    act: async (service, member) => {
      const token = await makeEntryLink(service, COMMAND_LINE, member)
      return { link: `${toBaseUrl(service.config)}${ENTRY_PATH}${token}`, email: member.email }
    },
    toText: ({ link, email }) => `${link}\n\nFor ${email}; it works once, for 48 hours.`,
  },
)

export const memberCommand = commandGroup('member', 'manage the people of an account', [
  addCommand,
  listCommand,
  moveCommand,
  roleCommand,
  removeCommand,
  linkCommand,
  inviteCommand,
  invitationsCommand,
  uninviteCommand,
])

/** A member as JSON output. */
async function toJson({ store }: Service, member: Member) {
  return withDepartment(member, await store.control.list('departments', { accountId: member.accountId }))
}

function withDepartment(member: Member, departments: Department[]) {
  return {
    id: member.id,
    email: member.email,
    name: member.name,
    role: member.role,
    department: departments.find(({ id }) => id === member.departmentId)?.name ?? null,
    account_id: member.accountId,
    created_at: toIsoTimeOrNull(member.createdAt),
    removed_at: toIsoTimeOrNull(member.removedAt),
  }
}
