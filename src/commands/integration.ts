import { Command } from 'commander'
import type { Cli } from './cli.ts'
import { addCommand } from './integration/add.ts'
import { credentialsCommand } from './integration/credentials.ts'
import { disableCommand, enableCommand } from './integration/enable.ts'
import { listCommand } from './integration/list.ts'
import { removeCommand } from './integration/remove.ts'
import { rotateSecretCommand } from './integration/rotate-secret.ts'
import { testCommand } from './integration/test.ts'

const COMMANDS = [
  addCommand,
  listCommand,
  testCommand,
  enableCommand,
  disableCommand,
  credentialsCommand,
  removeCommand,
  rotateSecretCommand,
]

/** `memsvc integration add|list|test|enable|disable|credentials|remove|rotate-secret` */
export function integrationCommand(cli: Cli): Command {
  const command = new Command('integration').description('other MCP servers whose tools projects may use')
  for (const make of COMMANDS) command.addCommand(make(cli))
  return command
}
