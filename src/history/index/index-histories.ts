import { type AppContext, logFailure } from '../../account/context.ts'
import { listAllProjects } from '../../account/organizations/project.ts'
import type { HistoryPassage, HistorySource, LinePlace } from '../../store/history.ts'
import type { HistoryReads, HistoryStore, HistoryWrites } from '../../store/history-verbs.ts'
import { ANALYZER_VERSION } from '../../text/analyzer.ts'
import { parseLineInTurn } from '../../transcripts/parse-line.ts'
import { createTextReader } from '../blocks.ts'
import type { StoredLine } from '../read/session.ts'
import { type LineWords, packLineWords } from './line-words.ts'
import { toFindable, toLineWords, toWords } from './words.ts'

const BATCH_SOURCES = 200

const utf8 = new TextDecoder()
const never = () => false

/**
 * Indexes all session histories of all projects that are not indexed, or were by another version of passages. A
 * project that fails is logged and skipped. May be interrupted at any point and called again, also by several processes
 * concurrently: each passage is stored with how far it goes.
 */
export async function indexHistories(ctx: AppContext, isStopped: () => boolean = never): Promise<void> {
  for (const { id, removedAt } of await listAllProjects(ctx)) {
    if (isStopped()) return
    if (removedAt !== null || !(await ctx.store.hasHistory(id))) continue
    await indexProject(ctx.store.history(id), isStopped).catch((error) => logFailure(ctx, 'reindex failed', id, error))
  }
}

/** Indexes what arrived since the last call. */
export async function indexUploaded(ctx: AppContext, isStopped: () => boolean = never): Promise<void> {
  for (const [projectId, sourceIds] of ctx.uploaded) {
    ctx.uploaded.delete(projectId)
    const store = ctx.store.history(projectId)
    for (const id of sourceIds) {
      if (isStopped()) return
      await indexSource(store, id, isStopped).catch((error) => logFailure(ctx, 'reindex failed', projectId, error))
    }
  }
}

async function indexProject(store: HistoryStore, isStopped: () => boolean): Promise<void> {
  for (let afterId = ''; ; ) {
    const batch = await store.listIndexed({ rules: PASSAGE_VERSION, afterId, limit: BATCH_SOURCES })
    for (const { id, indexed, lastLine } of batch)
      if (indexed < lastLine && !isStopped()) await indexSource(store, id, isStopped)
    if (batch.length < BATCH_SOURCES || isStopped()) return
    afterId = batch.at(-1)?.id ?? afterId
  }
}

/** Indexes a source to its end, a passage at a time. */
async function indexSource(store: HistoryStore, id: string, isStopped: () => boolean): Promise<void> {
  for (let fullTo: number | undefined = 0; fullTo !== undefined && !isStopped(); )
    fullTo = await indexNext(store, id, fullTo)
}

type Place = LinePlace & { line: number }

/**
 * Indexes the next lines of a source; `fullTo` is what the call before returned: the last line of the passage that it
 * made, 0 if that takes further lines. Undefined at the end of the source.
 */
async function indexNext(store: HistoryStore, id: string, fullTo: number): Promise<number | undefined> {
  const source = await store.findSource({ id })
  if (source === undefined || source.lines === 0 || source.forgottenAt !== null) return undefined
  const from = await findBeginning(store, source, fullTo)
  const places = from > source.lastLine ? [] : await store.listLines({ sourceId: id, from, limit: PASSAGE_LINES })
  const [first] = places
  if (first === undefined) return undefined
  const passage = await toPassage(source, first.line, readEach(store, places))
  await store.write(async (tx) => {
    // What was rewritten, masked or erased meanwhile is in other blocks, and is read anew.
    if (await isUnchanged(tx, source, from, places)) await tx.savePassages(id, [passage])
  })
  return passage.last === places.at(-1)?.line ? 0 : passage.last
}

/** The line from which on a source is to be indexed. A last passage that is not full is made anew with what follows. */
async function findBeginning(store: HistoryStore, { id, lastLine }: HistorySource, fullTo: number): Promise<number> {
  const last = await store.findLastPassage(id)
  if (last === undefined || last.rules !== PASSAGE_VERSION) return 1
  if (last.last >= lastLine) return lastLine + 1
  const isFull = last.last === fullTo || last.last - last.first + 1 >= PASSAGE_LINES
  return isFull ? last.last + 1 : last.first
}

/** The lines one after the other: each may have a megabyte, and 128 are asked for. */
async function* readEach(store: HistoryStore, places: Place[]): AsyncGenerator<StoredLine, void> {
  const read = createTextReader(store)
  for (const place of places) {
    const bytes = await read(place)
    yield { line: place.line, text: bytes === undefined ? '' : utf8.decode(bytes) }
  }
}

async function isUnchanged(
  tx: HistoryReads & HistoryWrites,
  { id }: HistorySource,
  from: number,
  places: Place[],
): Promise<boolean> {
  const now = await tx.listLines({ sourceId: id, from, limit: places.length })
  return JSON.stringify(now) === JSON.stringify(places)
}

/** Format of passages, with the version of the analyzer that made their words: those of another one are made anew. */
export const PASSAGE_VERSION = 10 * ANALYZER_VERSION + 1

/** Lines of a passage, and words from which on it takes no further line. */
const PASSAGE_LINES = 128
const FULL_WORDS = 3_000

/**
 * The passage of successive lines of a source from `first` on, of those that fit into one: their words and, with each,
 * those of the session's title and branch. What the assistant says before it calls a tool is left out: only final
 * answers are found.
 */
async function toPassage(
  source: HistorySource,
  first: number,
  lines: AsyncIterable<StoredLine>,
): Promise<HistoryPassage> {
  const { ownerId, title, gitBranch } = source
  const found: (LineWords & { kind: string })[] = []
  let [last, count] = [first, 0]
  for await (const { line, text } of lines) {
    if (count >= FULL_WORDS) break
    last = line
    const findable = toFindable(source, await parseLineInTurn(text))
    if (findable === undefined) continue
    if (findable.kind === 'call') while (found.at(-1)?.kind === 'answer') found.pop()
    const words = await toLineWords(ownerId, findable)
    found.push({ line, words, kind: findable.kind })
    count += words.length
  }
  const head = await toWords(ownerId, `${title ?? ''}\n${gitBranch ?? ''}`)
  return {
    first,
    last,
    words: [...new Set([...head, ...found.flatMap(({ words }) => words)])],
    lines: packLineWords(first, found),
    rules: PASSAGE_VERSION,
  }
}
