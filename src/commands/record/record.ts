import { Command } from 'commander'
import { requireAnyRecord } from '../../memory/records/lists/list-records.ts'
import { prepareShown } from '../../memory/records/lists/shown-record.ts'
import type { Cli } from '../cli.ts'
import { findProject, type ProjectOptions, withProjectOptions } from '../options.ts'
import { defineCommand } from '../report.ts'
import { moveCommand, restoreCommand, unverifyCommand, verifyCommand } from './acts.ts'
import { forgetCommand } from './forget.ts'
import { listCommand } from './list.ts'
import { saveCommand } from './save.ts'
import { scanCommand } from './scan.ts'

/** In the order of `memsvc record --help`. */
const COMMANDS = [
  listCommand,
  showCommand,
  saveCommand,
  moveCommand,
  forgetCommand,
  restoreCommand,
  verifyCommand,
  unverifyCommand,
  scanCommand,
]

/** `memsvc record list|show|save|move|forget|restore|verify|unverify|scan` */
export function recordCommand(cli: Cli): Command {
  const command = new Command('record').description('manage the records of a project, including forgotten ones')
  for (const make of COMMANDS) command.addCommand(make(cli))
  return command
}

function showCommand(cli: Cli): Command {
  const command = withProjectOptions(
    new Command('show').description('show one record with everything that is known about it').argument('<id>'),
  )
  return defineCommand(cli, command, {
    act: async (service, options: ProjectOptions, id = '') => {
      const project = service.store.project((await findProject(service, options)).id)
      const record = await requireAnyRecord(project, undefined, id)
      return (await prepareShown(service, project, undefined, [record]))(record)
    },
    toText: ({ content, ...fields }) => {
      const rows = Object.entries(fields).filter(([, value]) => value !== null)
      return `${rows.map(([name, value]) => `${name.padEnd(13)} ${value}`).join('\n')}\n\n${content}`
    },
  })
}
