import type { Command } from 'commander'

/** What `findProject` reads. */
export type ProjectOptions = { project: string; account?: string }

/** Lets a command take the project it is about. */
export function withProjectOptions(command: Command): Command {
  return command
    .requiredOption('--project <project>', 'name or id')
    .option('--account <account>', 'name or id, where several accounts have a project of that name')
}
