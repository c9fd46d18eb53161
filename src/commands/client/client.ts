import { commandGroup } from '../command.ts'
import { addCommand } from './add.ts'
import { listCommand } from './list.ts'
import { removeCommand } from './remove.ts'

export const clientCommand = commandGroup('client', 'connect assistants on this machine to the service', [
  listCommand,
  addCommand,
  removeCommand,
])
