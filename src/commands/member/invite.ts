import { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import { findDepartment } from '../../account/organizations/department.ts'
import { INVITATION_PATH, inviteMember, withdrawInvitation } from '../../account/organizations/invitation.ts'
import { toIsoTimeOrNull } from '../../clock.ts'
import type { Role } from '../../store/account.ts'
import type { Invitation } from '../../store/sign-in.ts'
import { toBaseUrl } from '../base-url.ts'
import type { Cli } from '../cli.ts'
import { accountOption, readDuration, roleOption } from '../options.ts'
import { defineCommand } from '../report.ts'
import { toTable, toTableTime } from '../terminal/table.ts'

type Options = { account?: string; email: string; department?: string; role: Role; valid: string }

/** `memsvc member invite` */
export function inviteCommand(cli: Cli): Command {
  const command = new Command('invite')
    .description('invite a person: print a link that works once; it is not shown again')
    .addOption(accountOption())
    .requiredOption('--email <address>', 'their e-mail address; a new link for it replaces the one before')
    .option('--department <department>', 'name or id')
    .addOption(roleOption())
    .option('--valid <span>', 'how long the link works, at most 30d', '7d')
  return defineCommand(cli, command, {
    act: async (service, { account: ref, email, role, department: departmentRef, valid }: Options) => {
      const account = await requireAccount(service, ref)
      const department = await findDepartment(service, COMMAND_LINE, account, departmentRef)
      const input = { email, role, department, validityMs: readDuration('--valid', valid) }
      const { token, invitation } = await inviteMember(service, COMMAND_LINE, { account, ...input })
      return { link: `${toBaseUrl(service.config)}${INVITATION_PATH}${token}`, ...toJson(invitation) }
    },
    toText: ({ link, email, expires_at }) => `${link}\n\nSend it to ${email}; it works once, until ${toTableTime(expires_at)} UTC.`,
  })
}

/** `memsvc member invitations` */
export function invitationsCommand(cli: Cli): Command {
  const command = new Command('invitations').description('list open invitations, without their links').addOption(accountOption())
  return defineCommand(cli, command, {
    act: async (service, { account }: { account?: string }) => {
      const { id } = await requireAccount(service, account)
      return (await service.store.control.list('invitations', { accountId: id })).map(toJson)
    },
    toText: (invitations) =>
      toTable(
        ['E-MAIL', 'ROLE', 'CREATED', 'EXPIRES'],
        invitations.map((one) => [one.email, one.role, toTableTime(one.created_at), toTableTime(one.expires_at)]),
        'no invitations',
      ),
  })
}

/** `memsvc member uninvite` */
export function uninviteCommand(cli: Cli): Command {
  const command = new Command('uninvite')
    .description('withdraw an invitation: its link stops working')
    .argument('<email>')
    .addOption(accountOption())
  return defineCommand(cli, command, {
    act: async (service, { account }: { account?: string }, email) => {
      await withdrawInvitation(service, COMMAND_LINE, { account: await requireAccount(service, account), email })
      return { email, withdrawn: true }
    },
    toText: ({ email }) => `withdrew the invitation of ${email}`,
  })
}

function toJson({ id, email, role, accountId, createdAt, expiresAt }: Invitation) {
  return { id, email, role, account_id: accountId, created_at: toIsoTimeOrNull(createdAt), expires_at: toIsoTimeOrNull(expiresAt) }
}
