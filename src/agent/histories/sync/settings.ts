import { join } from 'node:path'
import { isObject } from '../../../jsonrpc.ts'
import { readStateDir } from '../../config.ts'
import { readState, saveState } from '../../state-file.ts'

type Environment = Record<string, string | undefined>

/** A folder whose sessions a person has agreed to upload, and the project that they go to. */
export type MappedFolder = {
  /** Absolute, without symbolic links. */
  folder: string
  /** Base URL of the service. */
  endpoint: string
  projectId: string
  /** For people: names, and the first characters of the key with which it was agreed. */
  project: string
  account: string
  key: string
  /** ISO 8601: sessions that ended before stay here. Null for all. */
  since: string | null
}

/** What a person decided about the upload of session histories. Only the command line writes it; nothing that comes over MCP can. */
export type SyncSettings = {
  /** Tells this machine apart from others of the person: a random UUID. */
  device: string
  isPaused: boolean
  folders: MappedFolder[]
  /** Folders and patterns whose sessions stay here. */
  excluded: string[]
}

const FILE = 'sync.json'

/** Whether this environment forbids uploads, whatever was agreed. */
export function isSwitchedOff({ SVC_SYNC: value = '' }: Environment): boolean {
  return /^(?:off|0|false|no)$/i.test(value.trim())
}

/** What was decided; undefined if nothing was, or where what stands there is not what this program writes. */
export async function readSyncSettings(environment: Environment): Promise<SyncSettings | undefined> {
  const value = await readState(join(readStateDir(environment), FILE))
  if (!isObject(value) || typeof value.device !== 'string' || !Array.isArray(value.folders)) return undefined
  return {
    device: value.device,
    isPaused: value.isPaused === true,
    folders: value.folders.filter(isMappedFolder),
    excluded: Array.isArray(value.excluded) ? value.excluded.filter((one) => typeof one === 'string') : [],
  }
}

/** Keeps what was decided. @throws Error of the file system where it cannot be kept. */
export async function saveSyncSettings(environment: Environment, settings: SyncSettings): Promise<void> {
  await saveState(join(readStateDir(environment), FILE), settings)
}

function isMappedFolder(value: unknown): value is MappedFolder {
  if (!isObject(value)) return false
  const texts = [value.folder, value.endpoint, value.projectId, value.project, value.account, value.key]
  return texts.every((text) => typeof text === 'string') && (value.since === null || typeof value.since === 'string')
}
