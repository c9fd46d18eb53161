import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { writeFile } from '../write-file.ts'
import { createHistoryClient, SESSION_ARGUMENT } from './service.ts'

/** `memsvc history export` */
export function exportCommand(cli: Cli): Command {
  return new Command('export')
    .description('print a session as JSON Lines, as its assistant wrote them except for credentials and what is never uploaded')
    .argument('<session>', SESSION_ARGUMENT)
    .option('--output <file>', 'write to this file instead; it appears only when it is complete')
    .action(async (id: string, { output }: { output?: string }) => {
      const lines = await createHistoryClient(cli).export(id)
      if (output !== undefined) await writeFile(output, lines)
      else for await (const piece of lines) await cli.outBytes(piece)
    })
}
