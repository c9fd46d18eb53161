import { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { restoreRecord } from '../../memory/records/trash/restore.ts'
import type { Service } from '../../service.ts'
import type { Cli } from '../cli.ts'
import { findProject, type ProjectOptions, withProjectOptions } from '../options.ts'
import { defineCommand } from '../report.ts'
import { eachRecord, toPartRefusal, toRefusedLines } from './each.ts'

/** `memsvc record restore` */
export function restoreCommand(cli: Cli): Command {
  const command = withProjectOptions(new Command('restore').description('restore forgotten records').argument('<id...>'))
  return defineCommand(cli, command, {
    act: (service, options: ProjectOptions, ...ids) => restoreAll(service, options, ids),
    toText: ({ restored, refused }) =>
      [
        ...restored.map(
          ({ id, workspace, superseded_by: newer }) => `restored ${id} into '${workspace}'${newer ? `, superseded by ${newer}` : ''}`,
        ),
        ...toRefusedLines(refused, 'restored'),
      ].join('\n'),
    refusal: ({ restored, refused }) => toPartRefusal(restored, refused, 'restored'),
  })
}

async function restoreAll(service: Service, options: ProjectOptions, ids: string[]) {
  const { id: projectId } = await findProject(service, options)
  const { done, refused } = await eachRecord(ids, async (id) => {
    const { record, workspace } = await restoreRecord(service, COMMAND_LINE, { projectId, id })
    return { id, workspace, superseded_by: record.supersededBy }
  })
  return { restored: done, refused }
}
