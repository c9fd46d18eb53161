import { findCredentials, maskCredentials, maskFound, toLineAndColumn } from '../../secrets/credentials.ts'
import type { ProjectStore, ProjectWrites } from '../../store/project.ts'
import { phrasesOf, type Source, type StoredRecord } from '../../store/record.ts'
import type { Release } from '../../store/release.ts'
import type { Workspace } from '../../store/workspace.ts'
import { MAX_QUESTIONS, toQuestion } from '../questions/keep-questions.ts'
import { toContentEntry, withPhrases } from '../search/index/index-entry.ts'
import { scopeOf } from '../visibility.ts'
import { eachWorkspace } from '../workspaces/workspace.ts'
import { changeTexts, type RecordTexts } from './record-texts.ts'

/** A credential that is stored: in which record, workspace or question, in which field, and where in the text. */
export type StoredCredential = {
  kind: string
  id: string
  field: string
  line: number
  column: number
  /** Whether the record is a draft: nothing else is shown of one. */
  isDraft: boolean
}

/** What a scan is told: each credential as it is found, and whether it is to be masked. */
type Scan = { isMasking: boolean; found: (credential: StoredCredential) => void }

/** Records read at once: with the longest contents about 1 MB. */
const BATCH_RECORDS = 16
const BATCH_RELEASES = 50
/** Rows that one source has: one for each audience, and for each folder that it was imported from. */
const MAX_ROWS_OF_SOURCE = 10_000

/**
 * Searches all records of a project for credentials, forgotten ones too, the texts that wait for the guard's release,
 * and questions without an answer. With `isMasking`, `***` takes the place of each in the record, its index entry, and what is kept of its
 * source. May be interrupted and called again.
 */
export async function scanRecords(store: ProjectStore, scan: Scan): Promise<void> {
  const sources = new Map<string, FoundSource>()
  for (const forgotten of [false, true])
    for await (const record of eachRecord(store, forgotten)) {
      const masked = await searchRecord(record, scan.found)
      if (masked === undefined || !scan.isMasking) continue
      const { workspaceId, sourceId, audience } = record
      if (sourceId !== null && (masked.sourceId !== sourceId || masked.sourceHash !== record.sourceHash)) {
        const key = JSON.stringify([workspaceId, sourceId])
        const source = sources.get(key) ?? { workspaceId, sourceId, audiences: new Set(), ids: [] }
        sources.set(key, source)
        source.audiences.add(audience)
        source.ids.push(record.id)
      } else await saveMasked(store, record, masked)
    }
  for (const { ids, ...source } of sources.values()) {
    // Before its records, by which alone another call finds it.
    await maskSource(store, source)
    for (const id of ids) await maskRecord(store, id)
  }
  for await (const release of eachRelease(store)) await scanRelease(store, release, scan)
  await scanQuestions(store, scan)
}

/** A source whose name or hash contains a credential: whose records have it, and their ids. */
type FoundSource = Source & { audiences: Set<string>; ids: string[] }

/** Masks a record as it is now. */
async function maskRecord(store: ProjectStore, id: string): Promise<void> {
  const record = await store.findRecord(undefined, id, { forgotten: true })
  const masked = record && (await searchRecord(record, () => {}))
  if (record !== undefined && masked !== undefined) await saveMasked(store, record, masked)
}

/** In the order of their numbers. */
async function* eachRecord(store: ProjectStore, forgotten: boolean): AsyncGenerator<StoredRecord, void> {
  for (let afterSeq = 0; ; ) {
    const batch = await store.listRecords({ visible: undefined, forgotten, afterSeq, limit: BATCH_RECORDS })
    yield* batch
    if (batch.length < BATCH_RECORDS) return
    afterSeq = batch.at(-1)?.seq ?? afterSeq
  }
}

/** The texts of a record with masks; undefined if it contains no credential. */
async function searchRecord(record: StoredRecord, found: Scan['found']): Promise<RecordTexts | undefined> {
  const { id, audience } = record
  const isDraft = scopeOf(audience) === 'draft'
  let isAny = false
  const texts = await changeTexts(record, async (field, text) => {
    const credentials = await findCredentials(text)
    for (const { kind, start } of credentials) found({ kind, id, field, ...toLineAndColumn(text, start), isDraft })
    isAny ||= credentials.length > 0
    return maskFound(text, credentials)
  })
  return isAny ? texts : undefined
}

async function saveMasked(store: ProjectStore, read: StoredRecord, texts: RecordTexts): Promise<void> {
  const entry = await toContentEntry(texts)
  // Other columns may have changed since they were read.
  const changed = Object.entries(texts).filter(([column, text]) => text !== read[column as keyof RecordTexts])
  const masked: Partial<RecordTexts> = Object.fromEntries(changed)
  await store.write(async (tx) => {
    const record = await tx.findRecord(undefined, read.id, { forgotten: true })
    // Erased meanwhile.
    if (record === undefined) return
    const present = { ...record, ...masked }
    await tx.updateRecord(read.id, masked)
    if (record.forgottenAt === null) await tx.replaceEntry(present, withPhrases(entry, phrasesOf(present)))
  })
}

/** Keeps the current hash of a source under its masked name, and erases all else that is kept of it. */
async function maskSource(store: ProjectStore, { audiences, ...source }: Omit<FoundSource, 'ids'>): Promise<void> {
  const { workspaceId, sourceId } = source
  const named = await maskCredentials(sourceId)
  await store.write(async (tx) => {
    const known = [...audiences].map((audience) => ({ ...source, audience }))
    const states = await tx.findSourceStates(known)
    await tx.eraseSources(source, MAX_ROWS_OF_SOURCE)
    for (const [nth, { audience }] of known.entries()) {
      const state = states[nth]
      if (state)
        await tx.saveSourceState(
          { workspaceId, sourceId: named, audience },
          { ...state, hash: await maskCredentials(state.hash) },
        )
    }
  })
}

async function* eachRelease(store: ProjectStore): AsyncGenerator<Release, void> {
  for (let offset = 0; ; offset += BATCH_RELEASES) {
    const batch = await store.listReleases({}, { offset, limit: BATCH_RELEASES })
    yield* batch
    if (batch.length < BATCH_RELEASES) return
  }
}

/** A text with a credential that waits for its release is declined, since it could not be saved. */
async function scanRelease(store: ProjectStore, release: Release, { isMasking, found }: Scan): Promise<void> {
  const masked = { text: release.text, reason: release.reason, why: release.why }
  for (const field of ['text', 'reason', 'why'] as const) {
    const text = release[field]
    if (text === null) continue
    for (const { kind, start } of await findCredentials(text))
      found({ kind, id: release.hash, field: `guard ${field}`, ...toLineAndColumn(text, start), isDraft: false })
    masked[field] = await maskCredentials(text)
  }
  if (!isMasking || (masked.text === release.text && masked.reason === release.reason && masked.why === release.why))
    return
  const isDeclined = release.state === 'asked' && masked.text !== release.text
  await store.write(async (tx) => {
    // Deleted first, so that the text is overwritten in the file.
    await tx.deleteReleases(release)
    await tx.saveRelease({ ...release, ...masked, ...(isDeclined && { state: 'declined', text: null }) })
  })
}

/** A masked question is another one, whose id does not tell what was masked. */
async function scanQuestions(store: ProjectStore, { isMasking, found }: Scan): Promise<void> {
  for (const { id, text, asked, at } of await store.listQuestions({ limit: MAX_QUESTIONS })) {
    const credentials = await findCredentials(text ?? '')
    if (text === null || credentials.length === 0) continue
    for (const { kind, start } of credentials)
      found({ kind, id, field: 'question', ...toLineAndColumn(text, start), isDraft: false })
    const masked = await toQuestion({ query: text, asked, at })
    if (!isMasking) continue
    await store.write(async (tx) => {
      // Dismissed or settled meanwhile.
      if ((await tx.findQuestion(id))?.text !== text) return
      await tx.deleteQuestions({ id })
      await tx.addQuestions([masked], MAX_QUESTIONS)
    })
  }
}

/**
 * Searches the names of all workspaces of a project for credentials, removed ones too. With `isMasking`, such a
 * workspace is called `masked-<number>` from then on; its records stay in it. May be interrupted and called again.
 */
export async function scanWorkspaces(store: ProjectStore, { isMasking, found }: Scan): Promise<void> {
  for await (const workspace of eachWorkspace(store)) {
    const { name } = workspace
    const credentials = await findCredentials(name)
    if (credentials.length === 0) continue
    const id = isMasking ? await store.write((tx) => rename(tx, workspace)) : maskFound(name, credentials)
    for (const { kind, start } of credentials)
      found({ kind, id, field: 'workspace', ...toLineAndColumn(name, start), isDraft: false })
  }
}

/** Gives a workspace a name that no other one has, and returns it. */
async function rename(tx: ProjectWrites, { id, removedAt }: Workspace): Promise<string> {
  let name = `masked-${id}`
  while ((await tx.findWorkspace(name)) !== undefined) name += '-'
  await tx.updateWorkspace(id, { name })
  // A name takes a removed workspace into the lists again.
  if (removedAt !== null) await tx.updateWorkspace(id, { removedAt })
  return name
}
