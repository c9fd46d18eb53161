import { join } from 'node:path'
import { isObject } from '../../../jsonrpc.ts'
import { type Environment, readStateDir } from '../../config.ts'
import { readState, saveState, saveWithdrawal } from '../../state-file.ts'
import type { Target } from './target.ts'

/** A folder whose sessions the user has agreed to upload, for one project and one holder of a key of it. */
export type MappedFolder = Target & {
  /** Absolute, without symbolic links. */
  folder: string
  /** The assistants that were read when the user agreed. A later release may read more, which it has to ask for. */
  assistants: string[]
  /** For display: names, and the first characters of the key used at the time of consent. */
  project: string
  account: string
  holder: string
  key: string
  /** ISO 8601: sessions that ended earlier are not uploaded. Null for all. */
  since: string | null
}

/**
 * The user's decisions about the upload of session histories. Only the command line writes them; no MCP message can.
 */
export type SyncSettings = {
  /** Identifies this machine among the user's: a random UUID. */
  device: string
  isPaused: boolean
  folders: MappedFolder[]
  /** What is not uploaded: folders and patterns, `assistant:<name>`, and `session:<id>` with its subagents. */
  excluded: string[]
}

const FILE = 'sync.json'

/** Whether this environment forbids uploads, regardless of the settings. */
export function isSwitchedOff({ SVC_SYNC: value = '' }: Environment): boolean {
  return /^(?:off|0|false|no)$/i.test(value.trim())
}

/** The settings; undefined if there are none, or the file was not written by this program. */
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

/** Saves the settings. @throws Refusal if the file system refuses. */
export async function saveSyncSettings(environment: Environment, settings: SyncSettings): Promise<void> {
  await saveState(join(readStateDir(environment), FILE), settings)
}

/**
 * Saves settings that allow less than before. Returns false if all of them had to be removed, since they could not be
 * kept. @throws Refusal if nothing is possible.
 */
export async function saveFewerSettings(environment: Environment, settings: SyncSettings): Promise<boolean> {
  return saveWithdrawal(join(readStateDir(environment), FILE), settings)
}

function isMappedFolder(value: unknown): value is MappedFolder {
  if (!isObject(value)) return false
  const { folder, endpoint, projectId, holderId, assistants, project, account, holder, key, since } = value
  const texts = [
    folder,
    endpoint,
    projectId,
    holderId,
    project,
    account,
    holder,
    key,
    ...(Array.isArray(assistants) ? assistants : [null]),
  ]
  return texts.every((text) => typeof text === 'string') && (since === null || typeof since === 'string')
}
