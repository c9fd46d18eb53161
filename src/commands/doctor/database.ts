import { listAllProjects } from '../../account/organizations/project.ts'
import { type Check, checksOf } from '../../agent/doctor/check.ts'
import { DataError, StorageRefusal } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { toShownLocation } from '../../store/open-store.ts'
import { type Cli, withService } from '../cli.ts'
import { checkCredentials, checkIntegrations, settleFacts } from './content.ts'

const HELP = 'check SVC_DATABASE_URL and the log of the database; docs/scaling.md tells what it needs'

const { ok, warning, problem } = checksOf('service')

/**
 * Checks that the database takes writes, the facts of all projects, and the integrations. Its tables and indexes are
 * for its own tools.
 */
export async function checkDatabase(cli: Cli): Promise<Check[]> {
  try {
    return await withService(cli, async (service) => [
      await checkWrites(service),
      ...(await checkFacts(service)),
      ...(await checkCredentials(service)),
      ...(await checkIntegrations(service)),
    ])
  } catch (error) {
    if (error instanceof DataError) return [problem('database', error.message, HELP)]
    if (error instanceof StorageRefusal) return [problem('database', error.reason, HELP)]
    throw error
  }
}

async function checkFacts(service: Service): Promise<Check[]> {
  const kept = await listAllProjects(service, { removedAt: null })
  return settleFacts(
    service,
    kept.map(({ id }) => id),
    new Map(kept.map(({ id, name }) => [id, name])),
  )
}

/** @throws StorageRefusal if it takes none. */
async function checkWrites({ config, store }: Service): Promise<Check> {
  const { databaseMs = 0 } = await store.check()
  const detail = `${toShownLocation(config)} takes writes, and answered in ${Math.ceil(databaseMs)} ms; pg_amcheck checks its tables`
  if (!store.ownsTables) return ok('database', `${detail}; its role owns nothing`)
  return warning(
    'database',
    `${detail}; its role owns the tables, and could lift the policies between projects`,
    "give it a role that owns nothing: 'memsvc database migrate', docs/scaling.md",
  )
}
