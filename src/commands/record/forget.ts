import { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { Refusal } from '../../errors.ts'
import { forgetRecords } from '../../memory/records/trash/forget.ts'
import type { Cli } from '../cli.ts'
import { findProject, type ProjectOptions, withProjectOptions } from '../options.ts'
import { defineCommand } from '../report.ts'
import { countOf } from '../terminal/count-of.ts'
import { eachRecord, toPartRefusal, toRefusedLines } from './each.ts'

type Options = ProjectOptions & { source?: string; stale?: true; workspace?: string }

/** `memsvc record forget` */
export function forgetCommand(cli: Cli): Command {
  const command = withProjectOptions(new Command('forget').description("forget records; 'memsvc record restore' restores them"))
    .argument('[id...]', 'the records')
    .option('--source <id>', 'all records of this source instead')
    .option('--stale', 'only the stale records of the source')
    .option('--workspace <name>', "the workspace of the source; 'default' if left out")
  return defineCommand(cli, command, {
    act: async (service, options: Options, ...ids) => {
      const { source, stale, workspace, ...named } = options
      if ((source === undefined) === (ids.length === 0)) throw new Refusal('give the ids of records, or --source')
      const { id: projectId } = await findProject(service, named)
      const place = { ...(stale && { stale }), ...(workspace !== undefined && { workspace }) }
      if (source === undefined) return forgetEach(ids, (id) => forgetRecords(service, COMMAND_LINE, { projectId, id, ...place }))
      return { ...(await forgetRecords(service, COMMAND_LINE, { projectId, source_id: source, ...place })), refused: [] }
    },
    toText: ({ forgotten, verified, current_again: again, refused }) =>
      [
        `forgot ${countOf(forgotten, 'record')}${verified > 0 ? `, ${verified} of them verified` : ''}`,
        ...again.map(({ id }) => `${id} is current again`),
        ...toRefusedLines(refused, 'forgotten'),
      ].join('\n'),
    refusal: ({ ids, refused }) => toPartRefusal(ids, refused, 'forgotten'),
  })
}

async function forgetEach(ids: string[], forget: (id: string) => ReturnType<typeof forgetRecords>) {
  const { done, refused } = await eachRecord(ids, forget)
  return {
    forgotten: done.length,
    ids: done.flatMap((one) => one.ids),
    verified: done.reduce((sum, { verified }) => sum + verified, 0),
    current_again: done.flatMap((one) => one.current_again),
    refused,
  }
}
