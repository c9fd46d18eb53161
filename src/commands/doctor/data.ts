import { listAllProjects } from '../../account/organizations/project.ts'
import { type Check, checksOf } from '../../agent/doctor/check.ts'
import type { Config } from '../../config.ts'
import { DataError, StorageRefusal } from '../../errors.ts'
import { toEntry } from '../../memory/search/index/index-entry.ts'
import type { Service } from '../../service.ts'
import type { CheckedPart, Fault } from '../../store/check.ts'
import { checkStore, toShownLocation } from '../../store/open-store.ts'
import { type Cli, withService } from '../cli.ts'
import { findProject } from '../service-command.ts'
import { countOf } from '../terminal/text.ts'
import { checkCredentials, checkIntegrations, settleFacts } from './content.ts'

export type DataOptions = { project?: string; account?: string }

const RESTORE = "restore it from a backup: 'memsvc restore --help'"

const { ok, warning, problem } = checksOf('service')

/** Checks every file of the data folder, or those of one project, their facts, and the integrations. */
export async function checkData(cli: Cli, config: Config, options: DataOptions): Promise<Check[]> {
  const { names, projectId, others, failure } = await readService(cli, options)
  const checks: Check[] = []
  const readable: string[] = []
  const request = { toEntry, ...(projectId !== undefined && { projectId }) }
  for await (const part of checkStore(config, request)) {
    checks.push(toCheck(part, names))
    if (part.projectId !== undefined && (part.records ?? 0) > 0 && part.faults.length === 0)
      readable.push(part.projectId)
  }
  const facts =
    readable.length === 0 || failure.length > 0
      ? []
      : await withService(cli, (service) => settleFacts(service, readable, names))
  return [...failure, ...checks, ...facts, ...others]
}

type Read = { names: Map<string, string>; projectId: string | undefined; others: Check[]; failure: Check[] }

/** The checks that need an open service; if it cannot be opened, only the reason. */
async function readService(cli: Cli, { project, account }: DataOptions): Promise<Read> {
  const read = async (service: Service): Promise<Read> => {
    const named = project === undefined ? undefined : await findProject(service, { project, account })
    const names = new Map((await listAllProjects(service)).map(({ id, name }) => [id, name]))
    const others = [...(await checkCredentials(service, named?.id)), ...(await checkIntegrations(service))]
    return { names, projectId: named?.id, others, failure: [] }
  }
  try {
    return await withService(cli, read)
  } catch (error) {
    if (!(error instanceof DataError)) throw error
    return { names: new Map(), projectId: project, others: [], failure: [problem('database', error.message, RESTORE)] }
  }
}

function toCheck(
  { name, holds, projectId, records, isIndexing, faults }: CheckedPart,
  names: Map<string, string>,
): Check {
  const project = `'${names.get(projectId ?? '') ?? projectId}'`
  const title = {
    control: 'control file',
    records: `project ${project}`,
    histories: `histories of ${project}`,
    unknown: name,
  }[holds]
  const count = records === undefined ? name : countOf(records, 'record')
  const [first] = faults
  if (first === undefined) return ok(title, isIndexing ? `${count}; its index is being rebuilt` : count)
  const detail = [count, ...faults.map(({ text }) => text)].join(', ')
  if (holds === 'unknown') return warning(title, first.text, 'move it elsewhere')
  return problem(title, detail, toRemedy(faults, names.get(projectId ?? '')))
}

/** What is done about faults, of the project with this name, unless they are of none that the control file knows. */
function toRemedy(faults: Fault[], project: string | undefined): string {
  if (project === undefined) return RESTORE
  const isIndex = faults.every(({ remedy }) => remedy === 'reindex')
  return isIndex
    ? `'memsvc reindex --project ${project}'`
    : `'memsvc restore BACKUP --project ${project} --in-place', also while the service runs`
}

const HELP = 'check SVC_DATABASE_URL and the log of the database; docs/scaling.md tells what it needs'

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
