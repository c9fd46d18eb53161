import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { type ScannedCredentials, scanCredentials } from '../../maintenance/scan-credentials.ts'
import { onProject } from '../options.ts'
import { countOf, toTable } from '../terminal/text.ts'

export const scanCommand = onProject(
  'scan',
  'search what is stored for passwords, keys and tokens: records, also forgotten ones, names of workspaces, and session histories',
  {
    options: { '--mask': 'put a mask in the place of each, for good' },
    act: async (service, project, { mask = false }) => scanCredentials(service, COMMAND_LINE, project, mask),
    toText,
    refusal: ({ found, masked }) =>
      found === 0 || masked
        ? undefined
        : `${countOf(found, 'credential')}; with --mask, a mask takes the place of each`,
  },
)

function toText({ found, masked, records, more, drafts, histories, backups }: ScannedCredentials): string {
  if (found === 0) return 'no credentials'
  const rows = records.map(({ kind, id, field, line, column }) => [kind, id, field, `line ${line}, column ${column}`])
  return [
    ...(rows.length === 0 ? [] : [toTable(['KIND', 'RECORD', 'IN', 'AT'], rows, '')]),
    ...(more === 0 ? [] : [`and ${more} more in records`]),
    ...toCountLine('in drafts', drafts),
    ...toCountLine('in session histories', histories),
    ...(masked
      ? [`masked ${countOf(found, 'credential')}; change them where they are used, since they have been read`]
      : []),
    ...(backups.length === 0 ? [] : ['these backups still hold them:', ...backups.map((path) => `  ${path}`)]),
    'copies of the data elsewhere still hold them, too',
  ].join('\n')
}

function toCountLine(where: string, counts: Record<string, number>): string[] {
  const parts = Object.entries(counts).map(([kind, count]) => `${count} ${kind}`)
  return parts.length === 0 ? [] : [`${where}: ${parts.join(', ')}`]
}
