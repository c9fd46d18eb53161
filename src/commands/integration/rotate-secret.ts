import { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { rotateSecret } from '../../gateway/secret.ts'
import type { Cli } from '../cli.ts'
import { defineCommand } from '../report.ts'

/** `memsvc integration rotate-secret` */
export function rotateSecretCommand(cli: Cli): Command {
  const command = new Command('rotate-secret').description('encrypt every credential, of every account, with a new key')
  return defineCommand(cli, command, {
    act: async (service) => ({ credentials: await rotateSecret(service, COMMAND_LINE) }),
    toText: (done) => `credentials encrypted anew: ${done.credentials}`,
  })
}
