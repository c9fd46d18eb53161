import { COMMAND_LINE } from '../account/auth/actor.ts'
import { Refusal } from '../errors.ts'
import { exportRecords } from '../memory/transfer/export-records.ts'
import type { Lost } from '../store/store.ts'
import type { MakeCommand } from './command.ts'
import { onProject } from './service-command.ts'
import { writeFile } from './terminal/files.ts'
import { createProgress, type Progress } from './terminal/progress.ts'
import { countOf } from './terminal/text.ts'

/** Records that could not be read and are named. */
const MAX_NAMED = 1_000

export const exportCommand: MakeCommand = (cli) =>
  onProject(
    'export',
    "print a project's records, without the forgotten ones, as JSON Lines in the order of saving; 'memsvc import' reads them",
    {
      options: {
        '--workspace <name>': 'only records of this workspace',
        '--output <file>': 'write to this file instead; it appears only when it is complete',
      },
      act: async (service, { id: projectId }, { workspace, output }) => {
        const progress = createProgress(cli)
        let records = 0
        let lost: Lost | undefined
        const onLost = (found: Lost) => {
          lost = found
        }

        async function* pieces(): AsyncGenerator<string> {
          for await (const lines of exportRecords(service, COMMAND_LINE, { projectId, workspace, onLost })) {
            yield lines.join('')
            records += lines.length
            progress.show(`${records} exported`)
          }
        }

        if (output === undefined) for await (const piece of pieces()) await cli.out(piece)
        else await writeFile(output, pieces())
        progress.end()
        progress.say(`${countOf(records, 'record')} exported`)
        if (lost !== undefined) sayLost(progress, lost)
      },
    },
  )(cli)

/** @throws Refusal if something of a damaged project could not be read. */
function sayLost({ say }: Progress, { ids, further, parts }: Lost): void {
  const named = ids.length > MAX_NAMED ? [...ids.slice(0, MAX_NAMED), `and ${ids.length - MAX_NAMED} more`] : ids
  const lost = [
    ...(ids.length > 0 ? [`${countOf(ids.length, 'record')}: ${named.join(', ')}`] : []),
    ...(further > 0 ? [`${countOf(further, 'record')} that nothing is left of`] : []),
    ...parts,
  ]
  if (lost.length > 0) throw new Refusal(`the project is damaged, and this could not be read: ${lost.join('; ')}`)
  say('the project is damaged, but all its records could be read')
}
