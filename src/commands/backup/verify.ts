import { Command } from 'commander'
import { Refusal } from '../../errors.ts'
import { verifyBackup } from '../../store/open-store.ts'
import type { Cli } from '../cli.ts'
import { toJson, toLines } from './shown.ts'

/** `memsvc backup verify`: needs no data folder, so that a backup can be verified where it is kept. */
export function verifyCommand(cli: Cli): Command {
  return new Command('verify')
    .description('read a whole backup and compare every file in it with its manifest')
    .argument('<file>')
    .option('--json', 'print one JSON value')
    .action(async (file: string, { json }: { json?: true }, command: Command) => {
      const manifest = await verifyBackup(file)
      const asked = json ?? command.parent?.opts().json
      await cli.out(asked ? `${JSON.stringify(toJson(manifest))}\n` : `'${file}' is whole\n${toLines(manifest).join('\n')}\n`)
      if (manifest.incomplete.length > 0) throw new Refusal('what it was made of was not whole')
    })
}
