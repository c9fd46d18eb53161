import { Command } from 'commander'
import { recordEventAlone } from '../account/audit/audit.ts'
import { COMMAND_LINE } from '../account/auth/actor.ts'
import { exportRecords } from '../memory/transfer/export-records.ts'
import type { Service } from '../service.ts'
import { type Cli, withService } from './cli.ts'
import { findProject } from './find-project.ts'
import { type ProjectOptions, withProjectOptions } from './options.ts'
import { createProgress } from './terminal/progress.ts'
import { writeWhole } from './write-whole.ts'

type Options = ProjectOptions & { workspace?: string; output?: string }

/** `memsvc export` */
export function exportCommand(cli: Cli): Command {
  return withProjectOptions(new Command('export'))
    .description(
      "print a project's records as JSON Lines in their order of saving, without the forgotten ones; 'memsvc import' reads them back",
    )
    .option('--workspace <name>', 'only of this workspace')
    .option('--output <file>', 'write to this file instead; it is there only when it is whole')
    .action((options: Options) => withService(cli, (service) => exportTo(cli, service, options)))
}

async function exportTo(cli: Cli, service: Service, { workspace, output, ...named }: Options): Promise<void> {
  const project = await findProject(service, named)
  const progress = createProgress(cli)
  let records = 0

  async function* pieces(): AsyncGenerator<string> {
    for await (const lines of exportRecords(service, project.id, workspace)) {
      yield lines.join('')
      records += lines.length
      progress.show(`${records} exported`)
    }
  }

  if (output === undefined) for await (const piece of pieces()) await cli.out(piece)
  else await writeWhole(output, pieces())
  const { id, accountId } = project
  await recordEventAlone(service, COMMAND_LINE, { act: 'project.export', accountId, projectId: id, target: id, details: { records } })
  progress.end()
  progress.say(`${records} records exported`)
}
