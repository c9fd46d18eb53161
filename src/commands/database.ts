import { optionalDatabaseUrl } from '../config/values.ts'
import { Refusal } from '../errors.ts'
import { migrateDatabase } from '../store/open-store.ts'
import { commandGroup, localCommand, readOption } from './command.ts'
import { loadConfig } from './settings.ts'
import { countOf } from './terminal/text.ts'

const migrateCommand = localCommand(
  'migrate',
  'make or update the tables as the role that owns them, so that the role of the service owns nothing',
  {
    options: {
      '--url <url>': { help: 'the database as postgres://OWNER…', isRequired: true },
      '--role <name>': 'the role of the service; the user of SVC_DATABASE_URL if left out',
    },
    act: async (cli, { url, role }) => {
      const owner = readOption('--url', url, optionalDatabaseUrl)
      if (owner === undefined) throw new Refusal('--url must begin with postgres://')
      const service = role || roleOf((await loadConfig(cli)).databaseUrl)
      return { role: service, steps: await migrateDatabase(owner, service, cli.clock.now()) }
    },
    toText: ({ role, steps }) => `took ${countOf(steps, 'step')}; the role '${role}' may use the tables and owns none`,
  },
)

export const databaseCommand = commandGroup('database', 'look after the tables of a PostgreSQL database', [
  migrateCommand,
])

function roleOf(url: string | undefined): string {
  const user = url === undefined ? '' : decodeURIComponent(new URL(url).username)
  if (user === '') throw new Refusal('name the role of the service with --role, or set SVC_DATABASE_URL with its user')
  return user
}
