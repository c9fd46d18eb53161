import { Command } from 'commander'
import type { Cli } from '../cli.ts'
import { eraseCommand } from './erase.ts'
import { exportCommand } from './export.ts'
import { grepCommand } from './grep.ts'
import { listCommand } from './list.ts'
import { showCommand } from './show.ts'

/** `memsvc history list|show|grep|export|erase`: the sessions that the holder of the key has uploaded. Sessions of others cannot be read. */
export function historyCommand(cli: Cli): Command {
  const command = new Command('history').description(
    'read and erase the session histories that you uploaded to the project of your key (SVC_API_KEY)',
  )
  for (const make of [listCommand, showCommand, grepCommand, exportCommand, eraseCommand]) command.addCommand(make(cli))
  return command
}
