import { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { moveRecord } from '../../memory/records/bulk/move.ts'
import type { Cli } from '../cli.ts'
import { findProject, type ProjectOptions, withProjectOptions } from '../options.ts'
import { defineCommand } from '../report.ts'
import { eachRecord, toPartRefusal, toRefusedLines } from './each.ts'

/** `memsvc record move` */
export function moveCommand(cli: Cli): Command {
  const command = withProjectOptions(
    new Command('move').description('move records into another workspace, where the rules of their fact keys apply'),
  )
    .argument('<id...>')
    .requiredOption('--to <workspace>', 'created if it does not exist')
  return defineCommand(cli, command, {
    act: async (service, { to: workspace, ...named }: ProjectOptions & { to: string }, ...ids) => {
      const { id: projectId } = await findProject(service, named)
      const { done, refused } = await eachRecord(ids, async (id) => {
        const { record, returned } = await moveRecord(service, COMMAND_LINE, { projectId, id, workspace })
        return { id, status: record.status, superseded_by: record.supersededBy, current_again: returned.map((other) => other.id) }
      })
      return { workspace, moved: done, refused }
    },
    toText: ({ workspace, moved, refused }) =>
      [
        ...moved.map(({ id, superseded_by: newer }) => `moved ${id} to '${workspace}'${newer === null ? '' : `, superseded by ${newer}`}`),
        ...moved.flatMap(({ current_again: again }) => again.map((other) => `${other} is current again`)),
        ...toRefusedLines(refused, 'moved'),
      ].join('\n'),
    refusal: ({ moved, refused }) => toPartRefusal(moved, refused, 'moved'),
  })
}
