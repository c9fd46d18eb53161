import { and, count, eq, getTableColumns, lt, ne, or, sql } from 'drizzle-orm'
import type { ReleaseReads, ReleaseSelection, ReleaseWrites } from '../../release.ts'
import { releases } from '../schema/project.ts'
import { isOf, type Scope } from './scope.ts'

const { projectId: _projectId, ...RELEASE } = getTableColumns(releases)

export function createReleaseReads(scope: Scope): ReleaseReads {
  const { run } = scope
  const find = (hash: string) =>
    run(
      async ({ db }) =>
        (
          await db
            .select(RELEASE)
            .from(releases)
            .where(and(isOf(releases, scope), eq(releases.hash, hash)))
        )[0],
    )
  return {
    isAllowed: async (hash) => (await find(hash))?.state === 'allowed',
    findRelease: find,
    listReleases: (selection, { offset = 0, limit }) =>
      run(({ db }) =>
        db
          .select(RELEASE)
          .from(releases)
          .where(toCondition(scope, selection))
          .orderBy(sql`coalesce(decided_at, asked_at) desc nulls last`, releases.hash)
          .limit(limit)
          .offset(offset),
      ),
    countReleases: (selection) =>
      run(async ({ db }) => (await db.select({ n: count() }).from(releases).where(toCondition(scope, selection)))[0]?.n ?? 0),
  }
}

function toCondition(scope: Scope, { state, askedBy }: ReleaseSelection) {
  return and(isOf(releases, scope), state && eq(releases.state, state), askedBy === undefined ? undefined : eq(releases.askedBy, askedBy))
}

export function createReleaseWrites(scope: Scope): ReleaseWrites {
  const { run, projectId } = scope
  const key = [releases.projectId, releases.hash]
  return {
    saveRelease: (release) =>
      run(
        async ({ db }) =>
          void (await db
            .insert(releases)
            .values({ projectId, ...release })
            .onConflictDoUpdate({ target: key, set: release })),
      ),
    deleteRelease: (hash) =>
      run(async ({ db }) => void (await db.delete(releases).where(and(isOf(releases, scope), eq(releases.hash, hash))))),
    purgeReleases: (before) =>
      run(async ({ db }) => {
        const isOld = or(lt(releases.decidedAt, before), and(eq(releases.state, 'asked'), lt(releases.askedAt, before)))
        await db.delete(releases).where(and(isOf(releases, scope), ne(releases.state, 'allowed'), isOld))
      }),
  }
}
