import { optionalDatabaseUrl } from '../config/values.ts'
import { Refusal, toMessage } from '../errors.ts'
import { migrateDatabase } from '../store/open-store.ts'
import { commandGroup, localCommand } from './command.ts'
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
      const service = role ?? roleOf((await loadConfig(cli)).databaseUrl)
      return { role: service, steps: await migrateDatabase(readUrl(url), service, cli.clock.now()) }
    },
    toText: ({ role, steps }) => `took ${countOf(steps, 'step')}; the role '${role}' may use the tables and owns none`,
  },
)

export const databaseCommand = commandGroup('database', 'look after the tables of a PostgreSQL database', [
  migrateCommand,
])

function roleOf(url: string | undefined): string {
  if (url === undefined) throw new Refusal('name the role of the service with --role, or set SVC_DATABASE_URL')
  return decodeURIComponent(new URL(url).username)
}

function readUrl(text: string): string {
  try {
    const url = optionalDatabaseUrl(text)
    if (url !== undefined) return url
  } catch (error) {
    throw new Refusal(`--url ${toMessage(error)}`)
  }
  throw new Refusal('--url must begin with postgres://')
}
