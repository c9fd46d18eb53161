import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { addCommand } from './add.ts'
import { moveCommand, removeCommand, roleCommand } from './change.ts'
import { invitationsCommand, inviteCommand, uninviteCommand } from './invite.ts'
import { linkCommand } from './link.ts'
import { listCommand } from './list.ts'

/** `memsvc member add|list|move|role|remove|link|invite|invitations|uninvite` */
export function memberCommand(cli: Cli): Command {
  const command = new Command('member').description('the people of an account')
  const verbs = [addCommand, listCommand, moveCommand, roleCommand, removeCommand]
  const ways = [linkCommand, inviteCommand, invitationsCommand, uninviteCommand]
  for (const verb of [...verbs, ...ways]) command.addCommand(verb(cli))
  return command
}
