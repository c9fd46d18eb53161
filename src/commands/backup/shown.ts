import type { Manifest } from '../../store/backup.ts'
import { countOf, toCounts } from '../terminal/text.ts'

const KEY_LINES: Record<Manifest['secret_key'], string[]> = {
  encrypted: ['secret.key is in it, encrypted with the passphrase: neither is of use without the other'],
  'left out': [
    'secret.key is NOT in it, since there is no passphrase: keep a copy, or the credentials of integrations are lost',
  ],
  none: [],
}

/** The contents of a backup, as lines of text. */
export function toLines({ memsvc, made_at, of, counts, projects, secret_key, incomplete }: Manifest): string[] {
  const what =
    of === 'everything'
      ? toCounts({
          account: counts.accounts,
          member: counts.members,
          key: counts.keys,
          project: counts.projects,
          record: counts.records,
        })
      : `project '${projects[0]?.name}' of account '${projects[0]?.account}', ${countOf(counts.records, 'record')}`
  const names = new Map(projects.map(({ id, name }) => [id, `project '${name}'`]))
  const faults = incomplete.map(({ project = '', reason }) => `NOT WHOLE: ${names.get(project) ?? project} ${reason}`)
  return [
    `made ${made_at} by memsvc ${memsvc}: ${what}`,
    ...(of === 'everything' ? KEY_LINES[secret_key] : []),
    ...faults,
  ]
}

/** The same as a JSON value, with the SHA-256 of each file. */
export const toJson = ({ format: _format, ...manifest }: Manifest) => manifest
