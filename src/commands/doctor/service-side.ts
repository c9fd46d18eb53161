import { lookup } from 'node:dns/promises'
import { stat, statfs } from 'node:fs/promises'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { listAllProjects } from '../../account/organizations/project.ts'
import { type Check, checksOf } from '../../agent/doctor/check.ts'
import type { Config } from '../../config.ts'
import { DataError } from '../../errors.ts'
import { probeIntegration } from '../../gateway/probe.ts'
import { checkPublicUrl } from '../../http/public-url.ts'
import type { Service } from '../../service.ts'
import type { Project } from '../../store/account.ts'
import type { Integration } from '../../store/integration.ts'
import { hasStore } from '../../store/open-store.ts'
import { ANALYZER_VERSION } from '../../text/analyzer.ts'
import { toLocalUrl } from '../base-url.ts'
import { type Cli, withService } from '../cli.ts'
import { findProject } from '../options.ts'
import { loadConfig } from '../settings.ts'

type Options = { project?: string; account?: string }

const TIMEOUT_MS = 4_000
const MIN_FREE_BYTES = 100 * 2 ** 20
const WARN_FREE_BYTES = 2 ** 30
/** Rights of others than the owner. */
const OTHERS = 0o077

const { ok, warning, problem } = checksOf('service')

/** The checks of a service whose data is on this machine; none where it is not. */
export async function checkService(cli: Cli, options: Options): Promise<Check[]> {
  const config = await loadConfig(cli)
  if (!(await hasStore(config))) return []
  const around = [await checkRunning(config), await checkFolder(config), await checkSpace(config), ...(await checkAddress(config))]
  try {
    return [...around, ...(await withService(cli, (service) => checkData(service, options)))]
  } catch (error) {
    if (error instanceof DataError) return [...around, problem('database', error.message, 'restore the folder from a backup')]
    throw error
  }
}

async function checkRunning(config: Config): Promise<Check> {
  const url = toLocalUrl(config, config.port)
  const answer = await fetch(`${url}/readyz`, { signal: AbortSignal.timeout(TIMEOUT_MS) }).catch(() => undefined)
  if (answer === undefined) return warning('running', `nothing answers at ${url}`, "'memsvc serve'")
  return answer.ok ? ok('running', url) : problem('running', `the service at ${url} is not ready`, 'its log says why')
}

async function checkFolder({ dataDir }: Config): Promise<Check> {
  const { mode } = await stat(dataDir)
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return ok('data folder', dataDir)
  return warning('data folder', `others may look into ${dataDir}`, `chmod 700 ${dataDir}`)
}

async function checkSpace({ dataDir }: Config): Promise<Check> {
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const detail = `${(free / 2 ** 30).toFixed(1)} GiB free`
  if (free >= WARN_FREE_BYTES) return ok('disk', detail)
  return free < MIN_FREE_BYTES ? problem('disk', detail, 'make room; saves fail on a full disk') : warning('disk', detail, 'make room')
}

async function checkAddress({ publicUrl }: Config): Promise<Check[]> {
  if (publicUrl === undefined) return []
  const faults = await checkPublicUrl(publicUrl, (host) => lookup(host, { all: true }))
  if (faults.length === 0) return [ok('public URL', publicUrl)]
  return faults.map((fault) => warning('public URL', fault, 'change SVC_PUBLIC_URL'))
}

async function checkData(service: Service, { project, account }: Options): Promise<Check[]> {
  const named = project === undefined ? undefined : await findProject(service, { project, ...(account !== undefined && { account }) })
  const projects = named === undefined ? (await listAllProjects(service)).filter(({ removedAt }) => removedAt === null) : [named]
  const checks: Check[] = []
  for (const one of projects) checks.push(await checkProject(service, one))
  return [...checks, ...(await checkIntegrations(service))]
}

async function checkProject({ store }: Service, { id, name }: Project): Promise<Check> {
  const { records, missing, orphaned, miscounted, sound } = await store.project(id).checkIndex()
  const indexing = await store.project(id).readIndexing()
  const faults = Object.entries({ missing, orphaned, miscounted }).filter(([, count]) => count > 0)
  const title = `project '${name}'`
  const detail = `${records} records${faults.map(([fault, count]) => `, ${count} ${fault}`).join('')}${sound ? '' : ', the database is damaged'}`
  if (!sound || faults.length > 0)
    return problem(title, detail, `'memsvc reindex --project ${name}'${sound ? '' : ', or restore it from a backup'}`)
  const isCurrent = indexing === undefined || (indexing.rules === ANALYZER_VERSION && indexing.target === ANALYZER_VERSION)
  return ok(title, isCurrent ? detail : `${detail}; its index is being made anew`)
}

async function checkIntegrations(service: Service): Promise<Check[]> {
  const accounts = await service.store.control.listAccounts()
  const integrations = (await Promise.all(accounts.map(({ id }) => service.store.control.listIntegrations(id)))).flat()
  return Promise.all(integrations.map((integration) => checkIntegration(service, integration)))
}

async function checkIntegration(service: Service, integration: Integration): Promise<Check> {
  const { failure, milliseconds, withheld } = await probeIntegration(service, COMMAND_LINE, integration)
  const name = `integration '${integration.slug}'`
  const test = `'memsvc integration test ${integration.slug}'`
  if (failure !== undefined) return problem(name, failure.text, test)
  if (withheld.length > 0) return warning(name, `${withheld.length} tools are withheld`, `'memsvc integration changes ${integration.slug}'`)
  return ok(name, `answers in ${milliseconds} ms`)
}
