import { requireAnyRecord } from '../../memory/records/lists/list-records.ts'
import { prepareShown } from '../../memory/records/lists/shown-record.ts'
import { commandGroup } from '../command.ts'
import { onProject } from '../options.ts'
import { toFacts } from '../terminal/text.ts'
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
    const known = Object.entries(fields).filter(([, value]) => value !== null)
    const facts = known.map(([name, value]) => [name, Array.isArray(value) ? value.join('; ') : value])
    return `${toFacts(facts, 14)}\n\n${content}`
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
