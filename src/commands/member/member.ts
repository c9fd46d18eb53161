import { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { ENTRY_PATH, makeEntryLink } from '../../account/auth/entry-link.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import { changeRole, moveMember } from '../../account/organizations/change-member.ts'
import { findDepartment } from '../../account/organizations/department.ts'
import { addMember, requireMember } from '../../account/organizations/member.ts'
import { requireRole } from '../../account/organizations/names.ts'
import { toIsoTimeOrNull } from '../../clock.ts'
import { Refusal } from '../../errors.ts'
import { removeMemberAndHistories } from '../../history/erase/remove-owner.ts'
import type { Service } from '../../service.ts'
import type { Department, Member, Role } from '../../store/account.ts'
import { toBaseUrl } from '../base-url.ts'
import type { Cli } from '../cli.ts'
import { accountOption, findAccount, ROLE_NAMES, roleOption } from '../options.ts'
import { defineCommand } from '../report.ts'
import { toTable, toTableTime } from '../terminal/table.ts'
import { invitationsCommand, inviteCommand, uninviteCommand } from './invite.ts'

/** In the order of `memsvc member --help`. */
const COMMANDS = [
  addCommand,
  listCommand,
  moveCommand,
  roleCommand,
  removeCommand,
  linkCommand,
  inviteCommand,
  invitationsCommand,
  uninviteCommand,
]

/** `memsvc member add|list|move|role|remove|link|invite|invitations|uninvite` */
export function memberCommand(cli: Cli): Command {
  const command = new Command('member').description('manage the people of an account')
  for (const make of COMMANDS) command.addCommand(make(cli))
  return command
}

type AddOptions = { account?: string; email: string; name: string; department?: string; role: Role }

function addCommand(cli: Cli): Command {
  const command = new Command('add')
    .description('add a member to an account')
    .addOption(accountOption())
    .requiredOption('--email <address>', 'their e-mail address')
    .requiredOption('--name <name>', 'how their records are signed')
    .option('--department <department>', 'name or id')
    .addOption(roleOption())
  return defineCommand(cli, command, {
    act: async (service, { account: ref, email, name, role, department: departmentRef }: AddOptions) => {
      const account = await requireAccount(service, ref)
      const department = await findDepartment(service, COMMAND_LINE, account, departmentRef)
      return toJson(service, await addMember(service, COMMAND_LINE, { account, email, name, role, department }))
    },
    toText: ({ email, role, id }) => `added ${role} ${email}; their id is ${id}`,
  })
}

function listCommand(cli: Cli): Command {
  const command = new Command('list')
    .description('list the members of an account')
    .addOption(accountOption())
    .option('--removed', 'include former members')
  return defineCommand(cli, command, {
    act: async (service, options: { account?: string; removed?: true }) => {
      const account = await requireAccount(service, options.account)
      const members = await service.store.control.list('members', { accountId: account.id })
      const departments = await service.store.control.list('departments', { accountId: account.id })
      const listed = members.filter(({ removedAt }) => options.removed || removedAt === null)
      return listed.map((member) => withDepartment(member, departments))
    },
    toText: (members) =>
      toTable(
        ['E-MAIL', 'NAME', 'ROLE', 'DEPARTMENT', 'CREATED', 'REMOVED', 'ID'],
        members.map((member) => [
          member.email,
          member.name,
          member.role,
          member.department ?? '-',
          toTableTime(member.created_at),
          toTableTime(member.removed_at),
          member.id,
        ]),
        'no members',
      ),
  })
}

function moveCommand(cli: Cli): Command {
  const command = toMemberCommand(
    'move',
    'move a member to a department, or out of any; records stay with the department they were saved for',
  )
    .option('--department <department>', 'name or id')
    .option('--none', 'remove the member from their department')
  return defineCommand(cli, command, {
    act: async (service, options: MemberOptions & { department?: string; none?: true }, ref) => {
      if ((options.department === undefined) === (options.none === undefined)) throw new Refusal('give one of --department and --none')
      const member = await findMember(service, options, ref)
      const account = await requireAccount(service, member.accountId)
      await moveMember(service, COMMAND_LINE, {
        member,
        department: await findDepartment(service, COMMAND_LINE, account, options.department),
      })
      return toJson(service, await requireMember(service, COMMAND_LINE, member.id))
    },
    toText: ({ email, department }) => `${email} is now in ${department === null ? 'no department' : `department '${department}'`}`,
  })
}

function roleCommand(cli: Cli): Command {
  const command = toMemberCommand('role', 'change the role of a member').argument('<role>', ROLE_NAMES)
  return defineCommand(cli, command, {
    act: async (service, options: MemberOptions, ref, role) => {
      const member = await findMember(service, options, ref)
      await changeRole(service, COMMAND_LINE, { member, role: requireRole(role) })
      return toJson(service, await requireMember(service, COMMAND_LINE, member.id))
    },
    toText: ({ email, role }) => `${email} is now ${role}`,
  })
}

function removeCommand(cli: Cli): Command {
  return defineCommand(
    cli,
    toMemberCommand('remove', 'remove a member: their keys are dead at once, their session histories erased; their records stay'),
    {
      act: async (service, options: MemberOptions, ref) => {
        const member = await findMember(service, options, ref)
        const removedAt = await removeMemberAndHistories(service, COMMAND_LINE, member)
        return toJson(service, { ...member, removedAt })
      },
      toText: ({ email }) => `removed ${email}`,
    },
  )
}

function linkCommand(cli: Cli): Command {
  return defineCommand(cli, toMemberCommand('link', 'make a link by which a member comes into the console, once, and chooses a password'), {
    act: async (service, options: MemberOptions, ref) => {
      const member = await findMember(service, options, ref)
      const token = await makeEntryLink(service, COMMAND_LINE, member)
      return { link: `${toBaseUrl(service.config)}${ENTRY_PATH}${token}`, email: member.email }
    },
    toText: ({ link, email }) => `${link}\n\nFor ${email}; it works once, for 48 hours.`,
  })
}

type MemberOptions = { account?: string }

/** A command that takes one member as argument. */
function toMemberCommand(verb: string, description: string): Command {
  return new Command(verb)
    .description(description)
    .argument('<member>', 'e-mail or id')
    .option('--account <account>', 'name or id; only needed if several accounts have a member with that e-mail')
}

async function findMember(service: Service, { account }: MemberOptions, ref: string): Promise<Member> {
  return requireMember(service, COMMAND_LINE, ref, await findAccount(service, account))
}

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
