import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { COMMAND_LINE } from '../account/auth/actor.ts'
import { optionalDatabaseUrl } from '../config/values.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../errors.ts'
import { moveData, type Place } from '../maintenance/move.ts'
import { askPassphrase } from './backup/restore.ts'
import { watchInterrupt } from './cli.ts'
import { localCommand, readOption } from './command.ts'
import { loadConfig } from './settings.ts'
import { createProgress } from './terminal/progress.ts'
import { countOf, toCounts } from './terminal/text.ts'

export const moveCommand = localCommand(
  'move',
  'move everything from a data folder or a backup into a PostgreSQL database, or from a database into a data folder, while no service runs',
  {
    options: {
      '--from <place>': {
        help: "a data folder, a file that 'memsvc backup' wrote, postgres://…, or 'database' for SVC_DATABASE_URL",
        isRequired: true,
      },
      '--to <place>': {
        help: "an empty data folder, an empty database as postgres://…, or 'database' for SVC_DATABASE_URL",
        isRequired: true,
      },
      '--without-key': "leave out a backup's encrypted secret.key",
    },
    act: async (cli, { from, to, withoutKey }) => {
      const config = await loadConfig(cli)
      const progress = createProgress(cli)
      // Not killed, which would leave what a backup holds in a temporary folder.
      const { isStopped } = watchInterrupt(cli)
      const target = toPlace(config, to)
      if (target.kind === 'backup') throw new Refusal(`'${to}' is a file; --to takes a folder or a database`)
      const tables = await moveData({ ...cli, config }, COMMAND_LINE, {
        from: toPlace(config, from),
        to: target,
        passphrase: async () => (withoutKey ? undefined : askPassphrase(cli, config)),
        onProgress: (doing, rows, of) => {
          if (isStopped()) throw new Refusal('interrupted; run the same command again to continue')
          progress.show(`${doing} ${rows} of ${of} rows`)
        },
      })
      progress.end()
      return { rows: Object.values(tables).reduce((sum, count) => sum + count, 0), tables }
    },
    toText: ({ rows, tables }) => {
      const {
        accounts: account,
        members: member,
        keys: key,
        projects: project,
        records: record,
        historySources: session,
      } = tables
      const counts = toCounts({ account, member, key, project, record, session, 'audit event': tables.audit })
      return `moved and compared ${countOf(rows, 'row')}: ${counts}`
    },
  },
)

function toPlace({ databaseUrl }: Config, text: string): Place {
  if (/^postgres(ql)?:\/\//.test(text)) {
    const url = readOption('a database of --from and --to', text, optionalDatabaseUrl) ?? ''
    return { kind: 'database', url }
  }
  if (text === 'database') {
    if (databaseUrl === undefined) throw new Refusal("'database' stands for SVC_DATABASE_URL, which is not set")
    return { kind: 'database', url: databaseUrl }
  }
  const isFile = statSync(text, { throwIfNoEntry: false })?.isFile() ?? false
  return isFile ? { kind: 'backup', file: text } : { kind: 'folder', path: resolve(text) }
}
