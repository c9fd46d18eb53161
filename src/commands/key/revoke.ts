import { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { requireKey } from '../../account/keys/revoke-key.ts'
import { revokeKeyAndHistories } from '../../history/erase/remove-owner.ts'
import type { Cli } from '../cli.ts'
import { defineCommand } from '../report.ts'

/** `memsvc key revoke` */
export function revokeCommand(cli: Cli): Command {
  const command = new Command('revoke')
    .description('revoke a key from the next call on; session histories that a service key uploaded are erased')
    .argument('<key>', 'its id, the characters that lists show, or the key itself')
  return defineCommand(cli, command, {
    act: async (service, _options: object, ref) => {
      const key = await requireKey(service, ref)
      await revokeKeyAndHistories(service, COMMAND_LINE, key)
      return { id: key.id, shown: key.shown, revoked: true }
    },
    toText: ({ shown }) => `revoked ${shown}`,
  })
}
