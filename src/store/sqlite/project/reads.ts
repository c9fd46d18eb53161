import type { Database } from 'bun:sqlite'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/bun-sqlite'
import type { ProjectReads } from '../../project.ts'
import { workspaces } from '../schema/project.ts'
import { createConflicts } from './conflicts.ts'
import { createDetails } from './details.ts'
import { createHeads } from './heads.ts'
import { createIndexReads } from './index-upkeep.ts'
import { createListing } from './listing.ts'
import { createPostings } from './postings.ts'
import { createReleaseReads } from './releases.ts'
import { createRivals } from './rivals.ts'
import { createSaveReads } from './save-reads.ts'
import { toVisibleParams } from './select.ts'
import { prepareReads } from './statements.ts'
import { createTrash } from './trash.ts'
import { createTerms } from './vocabulary.ts'
import { createWorkspaceReads } from './workspaces.ts'

/** A project's reads, over either of its connections; `version` for the one that sees only what is committed. */
export function createProjectReads(client: Database, version?: () => number): ProjectReads {
  const db = drizzle({ client, casing: 'snake_case' })
  const statements = prepareReads(db)
  const listing = createListing(db)
  const saves = createSaveReads(client)
  return {
    ...saves,
    ...createWorkspaceReads(client),
    findWorkspacesById: async (ids) =>
      db
        .select()
        .from(workspaces)
        .where(sql`${workspaces.id} in (select value from json_each(${JSON.stringify(ids)}))`)
        .all(),
    findWorkspaceById: async (id) => db.select().from(workspaces).where(eq(workspaces.id, id)).get(),
    isWrittenFor: async (visible, workspaceId) => statements.writtenFor.get({ workspaceId, ...toVisibleParams(visible) }) !== undefined,
    findRecord: async (visible, id, options) => {
      const found = statements.byId.get({ id, ...toVisibleParams(visible) })
      return found && (found.forgottenAt === null || options?.forgotten) ? found : undefined
    },
    ...listing,
    ...createHeads(client),
    ...createRivals(client),
    ...createTrash(client),
    ...createConflicts(client),
    findCurrentHash: async (visible, workspaceId, sourceId) =>
      statements.currentHash.get({ workspaceId, sourceId, ...toVisibleParams(visible) })?.hash,
    findCurrentHashes: async (visible, sources) => {
      const params = toVisibleParams(visible)
      return sources.map((source) => statements.currentHash.get({ ...source, ...params })?.hash)
    },
    findSourceStates: async (sources) => sources.map((source) => statements.sourceState.get({ ...source })),
    findSourceState: async (workspaceId, audience, sourceId) => statements.sourceState.get({ workspaceId, audience, sourceId }),
    ...createReleaseReads(db),
    ...createPostings(client, version),
    ...createTerms(client),
    ...createDetails(client),
    listSmallProject: async (most) => {
      const { records, contentBytes } = await saves.readUsage()
      return records > most || contentBytes > most * 1024 ? undefined : listing.listRecords({ visible: undefined })
    },
    ...createIndexReads(client),
  }
}
