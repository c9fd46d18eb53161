import { lookup } from 'node:dns/promises'
import { existsSync } from 'node:fs'
import { stat, statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Check, checksOf } from '../../agent/doctor/check.ts'
import type { Config } from '../../config.ts'
import { DataError, type StorageRefusal } from '../../errors.ts'
import { checkPublicUrl } from '../../http/public-url.ts'
import { findStorageFault, hasStore, isUnserved, requireNoRemains } from '../../store/open-store.ts'
import type { Cli } from '../cli.ts'
import { askReadiness, toReason } from '../ready.ts'
import { toFirstKeyPath } from '../serve/first-key.ts'
import { gatherSettings, loadConfig } from '../settings.ts'
import { toSize } from '../terminal/text.ts'
import { checkData, checkDatabase, type DataOptions } from './data.ts'

const MIN_FREE_BYTES = 100 * 2 ** 20
const WARN_FREE_BYTES = 2 ** 30
/** Permission bits of users other than the owner. */
const OTHERS = 0o077

const { ok, warning, problem } = checksOf('service')

/** The checks of a service whose data is on this machine. */
export async function checkService(cli: Cli, options: DataOptions): Promise<Check[]> {
  const config = await loadConfig(cli)
  if (!(await hasStore(config)) && !hasRemains(config)) return checkAbsence(cli, config)
  const fault = findStorageFault(config)
  const around = [
    await checkRunning(config),
    ...(config.databaseUrl === undefined ? [await checkFolder(config, fault), await checkSpace(config)] : []),
    ...(await checkAddress(config)),
    ...checkFirstKey(config),
  ]
  // What a failing disk gives to read is no sign of damage, and a backup restored there would be lost.
  if (fault !== undefined && !MENDABLE[fault.reason]) return around
  const isWholeDatabase = config.databaseUrl !== undefined && options.project === undefined
  return [...around, ...(await (isWholeDatabase ? checkDatabase(cli) : checkData(cli, config, options)))]
}

/**
 * Without data: where it was looked for; a problem where a setting says that it is here, since the name may be mistyped
 * or the folder not mounted.
 */
async function checkAbsence(cli: Cli, { dataDir }: Config): Promise<Check[]> {
  const { texts, origins } = await gatherSettings(cli)
  if (!texts.SVC_DATA_DIR) return [ok('data folder', `none in ${resolve(dataDir)}; SVC_DATA_DIR names another`)]
  const name = origins.SVC_DATA_DIR ?? 'SVC_DATA_DIR'
  const advice = `correct ${name}, or mount the folder; 'memsvc serve' begins a new service in an empty one`
  return [problem('data folder', `there is no data in ${resolve(dataDir)}`, advice)]
}

/** Whether a part of the data is there, so that the rest was lost: `checkData` says so. */
function hasRemains(config: Config): boolean {
  try {
    requireNoRemains(config)
    return false
  } catch (error) {
    if (error instanceof DataError) return true
    throw error
  }
}

async function checkRunning(config: Config): Promise<Check> {
  const readiness = await askReadiness(config)
  if (readiness.answer !== null && isUnserved(config))
    return warning(
      'running',
      `nothing serves this folder; what answers at ${readiness.url} is another service`,
      "'memsvc serve' with another --port serves it; SVC_DATA_DIR names the folder of the other service",
    )
  if (readiness.ready) return ok('running', readiness.url)
  if (readiness.answer === null) return warning('running', toReason(readiness), "'memsvc serve'")
  return problem('running', toReason(readiness), 'its log says why')
}

/** What to do about a folder that takes no writes, by the reason; any other reason is of the disk itself. */
const MENDABLE: Record<string, string> = {
  'the data folder is read-only': 'mount it for writing, or give it to this user',
  'the disk is full': 'make room',
}

async function checkFolder({ dataDir }: Config, fault: StorageRefusal | undefined): Promise<Check> {
  const folder = resolve(dataDir)
  if (fault !== undefined)
    return problem(
      'data folder',
      `nothing can be saved in ${folder}: ${fault.reason}`,
      MENDABLE[fault.reason] ??
        "look at the disk, for instance by dmesg; once it works again, 'memsvc doctor' checks the data",
    )
  const { mode } = await stat(folder)
  if (process.platform === 'win32' || (mode & OTHERS) === 0) return ok('data folder', folder)
  return warning('data folder', `others can read ${folder}`, `chmod 700 ${folder}`)
}

function checkFirstKey({ dataDir }: Config): Check[] {
  const file = toFirstKeyPath(dataDir)
  return existsSync(file)
    ? [warning('first key', `it is still in ${file}`, 'delete the file once you have the key')]
    : []
}

async function checkSpace({ dataDir }: Config): Promise<Check> {
  const { bavail, bsize } = await statfs(dataDir)
  const free = bavail * bsize
  const detail = `${toSize(free)} free`
  if (free >= WARN_FREE_BYTES) return ok('disk', detail)
  return free < MIN_FREE_BYTES
    ? problem('disk', detail, 'make room; saves fail on a full disk')
    : warning('disk', detail, 'make room')
}

async function checkAddress({ publicUrl }: Config): Promise<Check[]> {
  if (publicUrl === undefined) return []
  const faults = await checkPublicUrl(publicUrl, (host) => lookup(host, { all: true }))
  if (faults.length === 0) return [ok('public URL', publicUrl)]
  return faults.map((fault) => warning('public URL', fault, 'change SVC_PUBLIC_URL'))
}
