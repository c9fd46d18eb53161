import { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { type ScannedCredentials, scanCredentials } from '../../maintenance/scan-credentials.ts'
import type { Cli } from '../cli.ts'
import { findProject, type ProjectOptions, withProjectOptions } from '../options.ts'
import { defineCommand } from '../report.ts'
import { countOf } from '../terminal/count-of.ts'
import { toTable } from '../terminal/table.ts'

/** `memsvc record scan` */
export function scanCommand(cli: Cli): Command {
  const command = withProjectOptions(
    new Command('scan').description(
      'search what is stored for passwords, keys and tokens: records, also forgotten ones, and session histories',
    ),
  ).option('--mask', 'put a mask in the place of each, for good')
  return defineCommand(cli, command, {
    act: async (service, { mask = false, ...named }: ProjectOptions & { mask?: boolean }) =>
      scanCredentials(service, COMMAND_LINE, await findProject(service, named), mask),
    toText,
    refusal: ({ found, masked }) =>
      found === 0 || masked ? undefined : `${countOf(found, 'credential')}; with --mask, a mask takes the place of each`,
  })
}

function toText({ found, masked, records, more, drafts, histories, backups }: ScannedCredentials): string {
  if (found === 0) return 'no credentials'
  const rows = records.map(({ kind, id, field, line, column }) => [kind, id, field, `line ${line}, column ${column}`])
  return [
    ...(rows.length === 0 ? [] : [toTable(['KIND', 'RECORD', 'IN', 'AT'], rows, '')]),
    ...(more === 0 ? [] : [`and ${more} more in records`]),
    ...toCountLine('in drafts', drafts),
    ...toCountLine('in session histories', histories),
    ...(masked ? [`masked ${countOf(found, 'credential')}; change them where they are used, since they have been read`] : []),
    ...(backups.length === 0 ? [] : ['these backups still hold them:', ...backups.map((path) => `  ${path}`)]),
    'copies of the data elsewhere still hold them, too',
  ].join('\n')
}

function toCountLine(where: string, counts: Record<string, number>): string[] {
  const parts = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`)
  return parts.length === 0 ? [] : [`${where}: ${parts.join(', ')}`]
}
