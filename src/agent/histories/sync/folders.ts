import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import type { Environment } from '../../config.ts'
import type { HistorySource } from '../source.ts'
import type { SyncDatabase } from './database.ts'
import { isSwitchedOff, type MappedFolder, readSyncSettings, type SyncSettings } from './settings.ts'
import type { Target } from './target.ts'

/**
 * Whether a session is uploaded to a target: an `outside` session does not belong to it, an `excluded` one does but the
 * user excluded it. Of an `unreadable` one nobody knows.
 */
export type Decision = 'included' | 'excluded' | 'outside' | 'unreadable'

/**
 * Decides by the folder in which the session began, according to its records. Of nested folders the innermost counts: a
 * session never goes to the project of an outer folder. A session without a folder is not uploaded, nor one of an
 * assistant that the user was not asked about. `realPaths` are those of folders that were found before.
 */
export async function decide(
  { folders, excluded }: Pick<SyncSettings, 'folders' | 'excluded'>,
  target: Target,
  source: HistorySource,
  realPaths: Map<string, string> = new Map(),
): Promise<Decision> {
  if (source.cwd === null) return source.unreadable === undefined ? 'outside' : 'unreadable'
  const cwd = realPaths.get(source.cwd) ?? (await toRealPath(source.cwd))
  realPaths.set(source.cwd, cwd)
  const innermost = folders
    .filter(({ folder }) => isInside(cwd, folder))
    .toSorted((a, b) => b.folder.length - a.folder.length)[0]
  if (innermost === undefined || !isOf(target, innermost)) return 'outside'
  if (!innermost.assistants.includes(source.assistant) || isExcluded(excluded, source, cwd)) return 'excluded'
  const lastAt = source.lastAt ?? new Date(source.mtimeMs).toISOString()
  return innermost.since !== null && lastAt < innermost.since ? 'excluded' : 'included'
}

/** Whether a folder's sessions go to this target. */
export function isOf({ holderId, ...project }: Target, folder: MappedFolder): boolean {
  return isOfProject(project, folder) && folder.holderId === holderId
}

/** The settings if they currently allow uploads to the target; otherwise undefined. */
export async function findConsent(environment: Environment, target: Target): Promise<SyncSettings | undefined> {
  const settings = isSwitchedOff(environment) ? undefined : await readSyncSettings(environment)
  if (settings === undefined || settings.isPaused) return undefined
  return settings.folders.some((folder) => isOf(target, folder)) ? settings : undefined
}

/** Whether a folder's sessions go to this project of this service, whoever holds the key. */
function isOfProject({ endpoint, projectId }: Omit<Target, 'holderId'>, folder: MappedFolder): boolean {
  return folder.endpoint === endpoint && folder.projectId === projectId
}

/** The real path of a folder, also of one that no longer exists. */
export async function toRealPath(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path))
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** Exclusions other than by folder, as they stand in the settings; a pattern of folders begins with neither. */
export const toAssistantExclusion = (name: string) => `assistant:${name}`
export const toSessionExclusion = (sessionId: string | undefined) => `session:${sessionId}`

function isExcluded(excluded: string[], source: HistorySource, cwd: string): boolean {
  const { assistant, sessionId, kind, parentSessionId } = source
  const names = [toAssistantExclusion(assistant), toSessionExclusion(sessionId)]
  if (kind === 'subagent') names.push(toSessionExclusion(parentSessionId))
  return excluded.some((one) => names.includes(one) || matches(one, cwd))
}

/** Settings by which the subagents of excluded sessions, and subagents of these, are excluded too. */
export function withSubagents(settings: SyncSettings, sources: Iterable<HistorySource>): SyncSettings {
  const excluded = new Set(settings.excluded)
  const subagents = [...sources].filter(({ kind }) => kind === 'subagent')
  for (let known = -1; known !== excluded.size; ) {
    known = excluded.size
    for (const { sessionId, parentSessionId } of subagents)
      if (excluded.has(toSessionExclusion(parentSessionId))) excluded.add(toSessionExclusion(sessionId))
  }
  return { ...settings, excluded: [...excluded] }
}

/** A pattern is a folder, including its contents, or a glob of paths. */
function matches(pattern: string, path: string): boolean {
  return isInside(path, pattern) || new Bun.Glob(pattern).match(path)
}

/** Converts a pattern as typed, with `~` and relative paths, to its stored form. */
export function toPattern(text: string, dir: string, home = homedir()): string {
  if (text === '~' || text.startsWith('~/')) return join(home, text.slice(1))
  // A pattern that begins with `**` matches anywhere.
  return text.startsWith('**') ? text : resolve(dir, text)
}

/**
 * A key whose holder has not agreed to uploads, although another holder of a key of the same project has. Its time is
 * in milliseconds since 1970.
 */
export type Unagreed = Target & { project: string; holder: string; seenAt: number }

/** Whether uploads to a target wait for its own holder's agreement. */
export function isUnagreed({ folders }: Pick<SyncSettings, 'folders'>, target: Target): boolean {
  return folders.some((folder) => isOfProject(target, folder)) && !folders.some((folder) => isOf(target, folder))
}

/** Notes that something here was about to upload to such a target. */
export function noteUnagreed(database: SyncDatabase, { endpoint, projectId, holderId }: Target, now: number): void {
  database
    .query('UPDATE targets SET unagreed_at = ? WHERE endpoint = ? AND project_id = ? AND holder_id = ?')
    .run(now, endpoint, projectId, holderId)
}

/** The targets that were noted and are still not agreed on, first seen first. */
export function listUnagreed(database: SyncDatabase, settings: Pick<SyncSettings, 'folders'>): Unagreed[] {
  return database
    .query<Unagreed, []>(
      `SELECT endpoint, project_id AS projectId, holder_id AS holderId, max(project) AS project, max(holder) AS holder, max(unagreed_at) AS seenAt
       FROM targets WHERE unagreed_at IS NOT NULL GROUP BY endpoint, project_id, holder_id ORDER BY seenAt`,
    )
    .all()
    .filter((target) => isUnagreed(settings, target))
}
