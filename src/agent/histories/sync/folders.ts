import { realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve, sep } from 'node:path'
import type { HistorySource } from '../source.ts'
import type { MappedFolder, SyncSettings } from './settings.ts'
import type { Target } from './target.ts'

/** Whether a session goes to a project: `outside` sessions are none of its business, `excluded` ones would be but for a person's choice. */
export type Decision = 'included' | 'excluded' | 'outside'

/**
 * Decides by the folder in which the session began, as its records say. Of folders within each other, the innermost counts: a project's sessions never go to that of a
 * folder around it. A session that names no folder stays here.
 */
export async function decide(
  { folders, excluded }: Pick<SyncSettings, 'folders' | 'excluded'>,
  target: Target,
  source: HistorySource,
): Promise<Decision> {
  if (source.cwd === null) return 'outside'
  const cwd = await toRealPath(source.cwd)
  const innermost = folders.filter(({ folder }) => isInside(cwd, folder)).toSorted((a, b) => b.folder.length - a.folder.length)[0]
  if (innermost === undefined || !isOf(target, innermost)) return 'outside'
  if (excluded.some((pattern) => matches(pattern, cwd))) return 'excluded'
  const lastAt = source.lastAt ?? new Date(source.mtimeMs).toISOString()
  return innermost.since !== null && lastAt < innermost.since ? 'excluded' : 'included'
}

/** Whether a folder's sessions go to this project of this service. */
export function isOf({ endpoint, projectId }: Target, folder: MappedFolder): boolean {
  return folder.endpoint === endpoint && folder.projectId === projectId
}

/** A folder without symbolic links, also one that is gone. */
export async function toRealPath(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path))
}

function isInside(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

/** A pattern names a folder, and all within it, or is a glob of paths. */
function matches(pattern: string, path: string): boolean {
  return isInside(path, pattern) || new Bun.Glob(pattern).match(path)
}

/** A pattern as a person gives it, with `~` and relative paths, as it is kept. */
export function toPattern(text: string, dir: string, home = homedir()): string {
  if (text === '~' || text.startsWith('~/')) return join(home, text.slice(1))
  // A pattern for any place stays one.
  return text.startsWith('**') ? text : resolve(dir, text)
}
