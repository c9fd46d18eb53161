import { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { Refusal } from '../../errors.ts'
import { forgetRecords } from '../../memory/records/forget.ts'
import type { Service } from '../../service.ts'
import type { Cli } from '../cli.ts'
import { findProject, type ProjectOptions, withProjectOptions } from '../options.ts'
import { defineCommand } from '../report.ts'
import { eachRecord, toPartRefusal, toRefusedLines } from './each.ts'

type Options = ProjectOptions & { source?: string; workspace?: string }

/** `memsvc record forget` */
export function forgetCommand(cli: Cli): Command {
  const command = withProjectOptions(new Command('forget').description("forget records; 'memsvc record restore' brings them back"))
    .argument('[id...]', 'the records')
    .option('--source <id>', 'all records of this source instead')
    .option('--workspace <name>', "where the source is; without it, 'default'")
  return defineCommand(cli, command, {
    act: async (service, options: Options, ...ids) => {
      const { source, workspace, ...named } = options
      if ((source === undefined) === (ids.length === 0)) throw new Refusal('give the ids of records, or --source')
      const { id: projectId } = await findProject(service, named)
      return source === undefined ? forgetEach(service, projectId, ids) : forgetSource(service, projectId, { source, workspace })
    },
    toText: ({ forgotten, refused }) =>
      [`forgot ${forgotten} record${forgotten === 1 ? '' : 's'}`, ...toRefusedLines(refused, 'forgotten')].join('\n'),
    refusal: ({ ids, refused }) => toPartRefusal(ids, refused, 'forgotten'),
  })
}

async function forgetEach(service: Service, projectId: string, ids: string[]) {
  const { done, refused } = await eachRecord(ids, (id) => forgetRecords(service, COMMAND_LINE, { projectId, id }))
  return { forgotten: done.length, ids: done.flatMap((one) => one.ids), refused }
}

async function forgetSource(service: Service, projectId: string, { source, workspace }: { source: string; workspace: string | undefined }) {
  const place = workspace === undefined ? {} : { workspace }
  return { ...(await forgetRecords(service, COMMAND_LINE, { projectId, source_id: source, ...place })), refused: [] }
}
