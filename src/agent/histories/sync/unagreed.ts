import type { SyncDatabase } from './database.ts'
import { isOf, isOfProject } from './folders.ts'
import type { SyncSettings } from './settings.ts'
import type { Target } from './target.ts'

/** A key whose holder has not agreed to uploads, although another holder of a key of the same project has. Its time is in milliseconds since 1970. */
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
