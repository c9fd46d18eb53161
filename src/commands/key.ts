import { Command } from 'commander'
import type { Cli } from './cli.ts'
import { issueCommand } from './key/issue.ts'
import { listCommand } from './key/list.ts'
import { revokeCommand } from './key/revoke.ts'
import { rotateCommand } from './key/rotate.ts'

/** `memsvc key issue|list|revoke|rotate` */
export function keyCommand(cli: Cli): Command {
  const command = new Command('key').description('keys by which assistants connect to a project')
  for (const verb of [issueCommand, listCommand, revokeCommand, rotateCommand]) command.addCommand(verb(cli))
  return command
}
