import { and, asc, desc, eq, gt, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import type { Source, SourceState, Visible } from '../../record.ts'
import type { RecordReads, RecordWrites } from '../../record-verbs.ts'
import { eraseImportedSources } from '../../shared/project/imported-sources.ts'
import type { ProjectEngine } from '../../shared/project/tables.ts'
import { mergeHashes, type PastHash, withHash } from '../../source-hashes.ts'
import type { WorkspaceWrites } from '../../workspace.ts'
import { numbers } from '../among.ts'
import type { Connection } from '../connection.ts'
import { recentStates, records, sources } from '../schema/project.ts'
import { isOf, isVisible, type Scope } from './scope.ts'
import type { WriteScope } from './write-scope.ts'

type Reads = Pick<RecordReads, 'findCurrentHash' | 'findCurrentHashes' | 'listSourceHashes' | 'findSourceState' | 'findSourceStates'>
type StateReads = Pick<RecordReads, 'countInState' | 'findWorkspacesOfSource' | 'findRecentState'>
type Writes = Pick<RecordWrites, 'saveSourceHash' | 'saveSourceState'> & Pick<WorkspaceWrites, 'eraseSources'>

/** Sources that one statement names. */
const SOURCES_PER_READ = 200

const keyOf = ({ workspaceId, sourceId }: Source) => `${workspaceId} ${sourceId}`

/** Maximum number of times that are dropped with each one that is stored: more than are stored, so that none are left in the end. */
const DROPPED_STATES = 32

/** Hashes of sources. */
export function createSourceReads(scope: Scope): Reads {
  const isSource = ({ workspaceId, sourceId }: Source) => and(eq(sources.workspaceId, workspaceId), eq(sources.sourceId, sourceId))
  /** The states of sources by saves of visible audiences, the last save first. */
  async function findStates(visible: Visible, named: Source[]): Promise<(typeof sources.$inferSelect)[]> {
    const found: (typeof sources.$inferSelect)[] = []
    const distinct = [...new Map(named.map((source) => [keyOf(source), source])).values()]
    for (let at = 0; at < distinct.length; at += SOURCES_PER_READ) {
      const isNamed = or(...distinct.slice(at, at + SOURCES_PER_READ).map(isSource))
      found.push(
        ...(await scope.run(({ db }) =>
          db
            .select()
            .from(sources)
            .where(and(isOf(sources, scope), isNamed, isVisible(sources.audience, visible)))
            .orderBy(desc(sources.saveSequence), desc(sources.audience)),
        )),
      )
    }
    return found
  }
  async function findCurrentHashes(visible: Visible, named: Source[]): Promise<(string | undefined)[]> {
    const current = new Map((await findStates(visible, named)).reverse().map((state) => [keyOf(state), state.hash]))
    return named.map((source) => current.get(keyOf(source)))
  }
  async function findSourceStates(named: (Source & { audience: string })[]): Promise<(SourceState | undefined)[]> {
    const audiences = [...new Set(named.map(({ audience }) => audience))]
    const states = new Map((await findStates(audiences, named)).map((state) => [`${state.audience} ${keyOf(state)}`, state]))
    return named.map((one) => {
      const found = states.get(`${one.audience} ${keyOf(one)}`)
      return found && { hash: found.hash, saveSequence: found.saveSequence }
    })
  }
  return {
    findCurrentHash: async (visible, workspaceId, sourceId) => (await findCurrentHashes(visible, [{ workspaceId, sourceId }]))[0],
    findCurrentHashes,
    listSourceHashes: async (visible, source) => mergeHashes(await findStates(visible, [source])),
    findSourceState: async (workspaceId, audience, sourceId) => (await findSourceStates([{ workspaceId, audience, sourceId }]))[0],
    findSourceStates,
  }
}

type OfAudience = Source & { audience: string }
type Hashes = Pick<typeof sources.$inferSelect, 'hash' | 'hashes'>
/** What a save does where the audience has a hash of the source. */
type Change = (hashes: Hashes) => { set: Hashes & { saveSequence: SQL }; setWhere?: SQL }

const toNext: Change = (hashes) => ({
  set: { ...hashes, saveSequence: sql`greatest(excluded.save_sequence, ${sources.saveSequence} + 1)` },
})
const toLater: Change = (hashes) => ({
  set: { ...hashes, saveSequence: sql`excluded.save_sequence` },
  setWhere: sql`excluded.save_sequence > ${sources.saveSequence}`,
})

export function createSourceWrites(scope: WriteScope, engine: ProjectEngine): Writes {
  const { projectId, run, ahead } = scope
  const save =
    ({ workspaceId, sourceId, audience }: OfAudience, { saveSequence, at, hash }: PastHash & SourceState, change: Change) =>
    async ({ db }: Connection): Promise<void> => {
      const isIt = and(eq(sources.workspaceId, workspaceId), eq(sources.sourceId, sourceId), eq(sources.audience, audience))
      const [before] = ahead.hasNoHash({ workspaceId, sourceId })
        ? []
        : await db
            .select({ hash: sources.hash, hashes: sources.hashes })
            .from(sources)
            .where(and(isOf(sources, scope), isIt))
      const hashes = withHash(before, { hash, at })
      await db
        .insert(sources)
        .values({ projectId, workspaceId, sourceId, audience, hash, saveSequence, hashes })
        .onConflictDoUpdate({
          target: [sources.projectId, sources.workspaceId, sources.sourceId, sources.audience],
          ...change({ hash, hashes }),
        })
    }
  return {
    saveSourceHash: async (workspaceId, sourceId, audience, hash, at) => {
      await run(save({ workspaceId, sourceId, audience }, { hash, at, saveSequence: at }, toNext))
      ahead.noteSource({ workspaceId, sourceId })
    },
    saveSourceState: async (workspaceId, sourceId, audience, state) => {
      await run(save({ workspaceId, sourceId, audience }, { ...state, at: null }, toLater))
      ahead.noteSource({ workspaceId, sourceId })
    },
    eraseSources: ({ workspaceId, sourceId }, limit) =>
      run(async ({ db }) => {
        const isNamed = sourceId === undefined ? undefined : eq(sources.sourceId, sourceId)
        const isOwn = and(isOf(sources, scope), eq(sources.workspaceId, workspaceId), isNamed)
        const some = db.select({ sourceId: sources.sourceId, audience: sources.audience }).from(sources).where(isOwn).limit(limit)
        const isAmongThem = sql`(${sources.sourceId}, ${sources.audience}) in ${some}`
        const erased = (await db.delete(sources).where(and(isOwn, isAmongThem)).returning({ one: sql`1` })).length
        return erased < limit ? erased + (await eraseImportedSources(engine, { workspaceId, sourceId }, limit - erased)) : erased
      }),
  }
}

/** Reads of the records of a source and of the states they were saved under. */
export function createStateReads(scope: Scope): StateReads {
  const { run } = scope
  return {
    countInState: ({ visible, workspaceId, sourceId, hash }, now, most) =>
      run(async ({ db }) => {
        const inState = db
          .select({ one: sql`1` })
          .from(records)
          .where(
            and(
              isOf(records, scope),
              eq(records.workspaceId, workspaceId),
              eq(records.sourceId, sourceId),
              eq(records.sourceHash, hash),
              isVisible(records.audience, visible),
              isNull(records.forgottenAt),
              ne(records.status, 'superseded'),
              or(isNull(records.expiresAt), gt(records.expiresAt, now)),
            ),
          )
          .limit(most)
        return (await inState).length
      }),
    findWorkspacesOfSource: (visible, sourceId, ids) =>
      run(async ({ db }) => {
        const found = await db
          .selectDistinct({ id: records.workspaceId })
          .from(records)
          .where(
            and(
              isOf(records, scope),
              sql`${records.workspaceId} in ${numbers(ids)}`,
              eq(records.sourceId, sourceId),
              isVisible(records.audience, visible),
              isNull(records.forgottenAt),
            ),
          )
        return found.map(({ id }) => id)
      }),
    findRecentState: (recordId, hash) =>
      run(async ({ db }) => {
        const isNamed = and(isOf(recentStates, scope), eq(recentStates.recordId, recordId), eq(recentStates.hash, hash))
        return (await db.select({ savedAt: recentStates.savedAt }).from(recentStates).where(isNamed))[0]?.savedAt
      }),
  }
}

export function createStateWrites(scope: Scope): Pick<RecordWrites, 'saveRecentState'> {
  const { projectId, run } = scope
  return {
    saveRecentState: (recordId, { hash, savedAt, since }) =>
      run(async ({ db }) => {
        const isEarlier = and(isOf(recentStates, scope), lt(recentStates.savedAt, since))
        const { recordId: id, hash: ofHash } = recentStates
        const some = db.select({ id, ofHash }).from(recentStates).where(isEarlier).orderBy(asc(recentStates.savedAt)).limit(DROPPED_STATES)
        await db.delete(recentStates).where(and(isEarlier, sql`(${id}, ${ofHash}) in ${some}`))
        await db
          .insert(recentStates)
          .values({ projectId, recordId, hash, savedAt })
          .onConflictDoUpdate({
            target: [recentStates.projectId, id, ofHash],
            set: { savedAt },
            setWhere: lt(recentStates.savedAt, since),
          })
      }),
  }
}
