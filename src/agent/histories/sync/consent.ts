import { stat } from 'node:fs/promises'
import { parse } from 'node:path'
import { Refusal } from '../../../errors.ts'
import { ASSISTANTS, isAssistant } from '../../../transcripts/format.ts'
import { FORMATS } from '../../../transcripts/formats.ts'
import { findRepository } from '../../brief/repository.ts'
import type { Environment } from '../../config.ts'
import type { KeyInfo } from '../../service-client.ts'
import { isOf, toAssistantExclusion, toPattern, toRealPath, toSessionExclusion } from './folders.ts'
import {
  type MappedFolder,
  readSyncSettings,
  type SyncSettings,
  saveFewerSettings,
  saveSyncSettings,
} from './settings.ts'
import type { Target } from './target.ts'
import { wakeUploads } from './wake.ts'

/** The user's decisions about uploads. Called only by the command line. */

const NOTHING_AGREED: Omit<SyncSettings, 'device'> = { isPaused: false, folders: [], excluded: [] }

/** The settings so far, or initial ones. */
export async function readOrBegin(environment: Environment): Promise<SyncSettings> {
  return (await readSyncSettings(environment)) ?? { device: crypto.randomUUID(), ...NOTHING_AGREED }
}

/**
 * The folders that the user means: those named, otherwise the repository of the current folder, otherwise that folder.
 *
 * @throws Refusal for a folder that does not exist, and if the home folder or a whole disk would be included without
 *   being named.
 */
export async function toFolders(named: string[], dir: string, home: string): Promise<string[]> {
  if (named.length > 0) return Promise.all(named.map((one) => requireFolder(toPattern(one, dir, home))))
  const folder = await toRealPath((await findRepository(dir))?.root ?? dir)
  if (folder === (await toRealPath(home)) || folder === parse(folder).root)
    throw new Refusal(`name the folders whose sessions are to be uploaded; '${folder}' holds more than one project`)
  return [folder]
}

async function requireFolder(path: string): Promise<string> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory() !== true) throw new Refusal(`there is no folder '${path}'`)
  return toRealPath(path)
}

/** Adds folders to the settings, for the target of a key. A folder mapped to another target is mapped to this one. */
export function withFolders(
  settings: SyncSettings,
  folders: string[],
  target: Target,
  { project, account, holder, key }: KeyInfo,
  since: string | null,
): SyncSettings {
  const shared = { ...target, assistants: [...FORMATS.keys()], project, account, holder, key, since }
  const added: MappedFolder[] = folders.map((folder) => ({ folder, ...shared }))
  return {
    ...settings,
    isPaused: false,
    folders: [...settings.folders.filter(({ folder }) => !folders.includes(folder)), ...added],
  }
}

/** Saves the settings and starts the upload. @throws Refusal if they cannot be saved. */
export async function agreeTo(environment: Environment, settings: SyncSettings, now: number): Promise<void> {
  await saveSyncSettings(environment, settings)
  await wakeUploads(environment, now)
}

/** What was withdrawn. `isKept` is false if all settings had to be removed, since they could not be kept. */
type Withdrawal = { folders: MappedFolder[]; isKept: boolean }

/**
 * Ends the upload of folders, or of all; what the service has stays there. Returns the removed ones. Possible on a full
 * disk too.
 */
export async function disable(
  environment: Environment,
  named: string[],
  dir: string,
  home: string,
): Promise<Withdrawal> {
  const settings = await readOrBegin(environment)
  const folders = await Promise.all(named.map((one) => toRealPath(toPattern(one, dir, home))))
  const isMeant = ({ folder }: MappedFolder) => folders.length === 0 || folders.includes(folder)
  const unknown = folders.find((folder) => !settings.folders.some((one) => one.folder === folder))
  if (unknown !== undefined)
    throw new Refusal(`'${unknown}' is no folder whose sessions are uploaded; 'memsvc sync status' shows them`)
  const ended = settings.folders.filter(isMeant)
  if (ended.length === 0) return { folders: [], isKept: true }
  const isKept = await saveFewerSettings(environment, {
    ...settings,
    folders: settings.folders.filter((one) => !isMeant(one)),
  })
  return { folders: isKept ? ended : settings.folders, isKept }
}

/**
 * Pauses uploads, on a full disk too. Returns false if all settings had to be removed, since they could not be kept.
 * @throws Refusal if there are none.
 */
export async function pause(environment: Environment): Promise<boolean> {
  return saveFewerSettings(environment, { ...(await requireAgreed(environment)), isPaused: true })
}

/** Resumes uploads. @throws Refusal if there is nothing to resume, or the settings cannot be saved. */
export async function resume(environment: Environment, now: number): Promise<void> {
  await agreeTo(environment, { ...(await requireAgreed(environment)), isPaused: false }, now)
}

async function requireAgreed(environment: Environment): Promise<SyncSettings> {
  const settings = await readSyncSettings(environment)
  if (settings !== undefined && settings.folders.length > 0) return settings
  throw new Refusal("no session histories are uploaded; 'memsvc sync enable' begins it")
}

/** What the user excludes: folders or glob patterns, an assistant, or a session by its id or the beginning of it. */
type Exclusion = { patterns: string[]; assistant?: string | undefined; session?: string | undefined }

/**
 * Excludes sessions or, with `isRemoved`, includes them again. Returns all exclusions. `sessionIds` returns the sessions
 * of this machine.
 *
 * @throws Refusal for an unknown assistant or session, and with `isRemoved` for an exclusion that does not exist.
 */
export async function exclude(
  environment: Environment,
  { patterns, assistant, session }: Exclusion,
  isRemoved: boolean,
  { dir, home, sessionIds }: { dir: string; home: string; sessionIds: () => Promise<string[]> },
): Promise<string[]> {
  if (assistant !== undefined && !isAssistant(assistant))
    throw new Refusal(`histories of '${assistant}' are not read; those of ${ASSISTANTS.join(', ')} are`)
  const found = isRemoved || session === undefined ? [] : (await sessionIds()).map(toSessionExclusion)
  // Read after the sessions, which may take seconds, so that nothing excluded meanwhile is lost.
  const settings = await readOrBegin(environment)
  const known = isRemoved ? settings.excluded : found
  const named = [
    ...patterns.map((one) => toPattern(one, dir, home)),
    ...(assistant === undefined ? [] : [toAssistantExclusion(assistant)]),
    ...(session === undefined ? [] : [requireOne(known, session)]),
  ]
  const unknown = isRemoved ? named.find((one) => !settings.excluded.includes(one)) : undefined
  if (unknown !== undefined) throw new Refusal(`'${unknown}' is not excluded; 'memsvc sync exclude' shows what is`)
  const others = settings.excluded.filter((one) => !named.includes(one))
  const excluded = isRemoved ? others : [...others, ...named]
  if (named.length > 0) await saveSyncSettings(environment, { ...settings, excluded })
  return excluded
}

/** Minimum length of a part of an id, so that none is meant by accident. */
const MIN_BEGINNING = 4

/** The only one of these exclusions that names a session whose id is this, or begins so. */
function requireOne(known: string[], session: string): string {
  const beginning = toSessionExclusion(session)
  const found = known.filter((one) => one.startsWith(beginning))
  const [first, ...others] = found.includes(beginning) ? [beginning] : new Set(found)
  if (session.length < MIN_BEGINNING || first === undefined)
    throw new Refusal(`there is no session '${session}' here; 'memsvc sync preview --sessions' shows them`)
  if (others.length > 0) throw new Refusal(`'${session}' names several sessions`)
  return first
}

/** The distinct targets of the folders. */
export function targetsOf({ folders }: Pick<SyncSettings, 'folders'>): MappedFolder[] {
  return folders.filter((folder, at) => folders.findIndex((one) => isOf(one, folder)) === at)
}
