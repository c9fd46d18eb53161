import { Command } from 'commander'
import { COMMAND_LINE } from '../account/auth/actor.ts'
import { exportRecords } from '../memory/transfer/export-records.ts'
import type { Service } from '../service.ts'
import { type Cli, withService } from './cli.ts'
import { findProject, type ProjectOptions, withProjectOptions } from './options.ts'
import { countOf } from './terminal/count-of.ts'
import { createProgress } from './terminal/progress.ts'
import { writeFile } from './write-file.ts'

type Options = ProjectOptions & { workspace?: string; output?: string }

/** `memsvc export` */
export function exportCommand(cli: Cli): Command {
  return withProjectOptions(new Command('export'))
    .description("print a project's records, without the forgotten ones, as JSON Lines in the order of saving; 'memsvc import' reads them")
    .option('--workspace <name>', 'only records of this workspace')
    .option('--output <file>', 'write to this file instead; it appears only when it is complete')
    .action((options: Options) => withService(cli, (service) => runExport(cli, service, options)))
}

async function runExport(cli: Cli, service: Service, { workspace, output, ...named }: Options): Promise<void> {
  const { id: projectId } = await findProject(service, named)
  const progress = createProgress(cli)
  let records = 0

  async function* pieces(): AsyncGenerator<string> {
    for await (const lines of exportRecords(service, COMMAND_LINE, { projectId, workspace })) {
      yield lines.join('')
      records += lines.length
      progress.show(`${records} exported`)
    }
  }

  if (output === undefined) for await (const piece of pieces()) await cli.out(piece)
  else await writeFile(output, pieces())
  progress.end()
  progress.say(`${countOf(records, 'record')} exported`)
}
