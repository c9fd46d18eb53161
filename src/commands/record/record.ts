import { requireAnyRecord } from '../../memory/records/lists/list-records.ts'
import { prepareShown } from '../../memory/records/lists/shown-record.ts'
import { commandGroup } from '../command.ts'
import { onProject } from '../options.ts'
import { forgetCommand, moveCommand, restoreCommand, unverifyCommand, verifyCommand } from './acts.ts'
import { listCommand } from './list.ts'
import { saveCommand } from './save.ts'
import { scanCommand } from './scan.ts'

const showCommand = onProject('show', 'show one record with everything that is known about it', {
  arguments: { '<id>': '' },
  act: async (service, { id: projectId }, _options, id = '') => {
    const project = service.store.project(projectId)
    const record = await requireAnyRecord(project, undefined, id)
    return (await prepareShown(service, project, undefined, [record]))(record)
  },
  toText: ({ content, ...fields }) => {
    const rows = Object.entries(fields).filter(([, value]) => value !== null)
    return `${rows.map(([name, value]) => `${name.padEnd(13)} ${Array.isArray(value) ? value.join('; ') : value}`).join('\n')}\n\n${content}`
  },
})

export const recordCommand = commandGroup('record', 'manage the records of a project, including forgotten ones', [
  listCommand,
  showCommand,
  saveCommand,
  moveCommand,
  forgetCommand,
  restoreCommand,
  verifyCommand,
  unverifyCommand,
  scanCommand,
])
