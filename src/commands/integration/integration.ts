import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { addCommand } from './add.ts'
import { credentialsCommand } from './credentials.ts'
import { disableCommand, enableCommand } from './enable.ts'
import { listCommand } from './list.ts'
import { removeCommand } from './remove.ts'
import { rotateSecretCommand } from './rotate-secret.ts'
import { testCommand } from './test.ts'

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
