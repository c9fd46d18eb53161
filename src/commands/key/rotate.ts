import { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { requireKey } from '../../account/keys/revoke-key.ts'
import { rotateKey } from '../../account/keys/rotate-key.ts'
import type { Cli } from '../cli.ts'
import { readDuration } from '../options.ts'
import { defineCommand } from '../report.ts'
import { toIssuedText, toListedKey } from './listed.ts'

/** `memsvc key rotate` */
export function rotateCommand(cli: Cli): Command {
  const command = new Command('rotate')
    .description('replace a key: print a new one, which is not shown again; the old one expires after a while')
    .argument('<key>', 'the old key: its id, the characters that lists show, or the key itself')
    .option('--overlap <span>', 'how long the old key still works, at most 90d; 0 ends it at once', '24h')
  return defineCommand(cli, command, {
    act: async (service, { overlap }: { overlap: string }, ref) => {
      const old = await requireKey(service, ref)
      const { secret, key, member } = await rotateKey(service, COMMAND_LINE, { key: old, overlapMs: readDuration('--overlap', overlap) })
      return { key: secret, replaces: old.id, ...toListedKey(key, member ?? undefined, service.clock.now()) }
    },
    toText: toIssuedText,
  })
}
