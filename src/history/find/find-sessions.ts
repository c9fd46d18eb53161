import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { Refusal } from '../../errors.ts'
import { type FoundSource, type LinePlace, type SourceFilter, toSourceNumber } from '../../store/history.ts'
import type { HistoryStore } from '../../store/history-verbs.ts'
import type { Assistant } from '../../transcripts/format.ts'
import { FORMATS } from '../../transcripts/formats.ts'
import { parseLineInTurn } from '../../transcripts/parse-line.ts'
import { authorizeHistory } from '../authorize-history.ts'
import { createTextReader } from '../blocks.ts'
import { findLines } from '../index/line-words.ts'
import { toFileWord, toFindable } from '../index/words.ts'
import { type Session, toSession } from '../read/session.ts'
import { MAX_WORDS_CHARACTERS, parseWords } from './parse-words.ts'
import { MAX_PASSAGES_OF_WORD, type Ranked, rankSessions, weightOf } from './rank.ts'

/** What to find: words, a file that was touched, or both, among sessions that a list of them may be narrowed to. */
type FindQuery = Omit<SourceFilter, 'ownerId'> & {
  words?: string | undefined
  file?: string | undefined
  /** Sessions to pass over: the `next` of the page before. */
  from?: number | undefined
  limit: number
}

/** A line that a session was found by: an excerpt of its text, with the words in question. */
type FoundLine = { line: number; role: string; at: string | null; text: string }
export type FoundSession = { session: Session; lines: FoundLine[] }
/** `next` is undefined at the end; there `only_best` is how many are ranked at the most, if there may be more. */
export type FoundPage = { found: FoundSession[]; next: number | undefined; only_best?: number }

/** Sessions that are ranked by their lines, and so the most that are found. */
const MAX_FOUND = 60
/** Sets of sessions with the same words that are asked for, one after the other. */
const MAX_STEPS = 8
const SHOWN_LINES = 3

const utf8 = new TextDecoder()

/**
 * The sessions of the actor that have words, best first: those with more of the words, rare ones counting more, near
 * each other and in one line; among equals the last active. Of each the best lines.
 *
 * @throws Refusal without words and file, for longer ones, and for a project that the actor may not use; Notice where
 *   the subscription forbids it.
 */
export async function findSessions(
  ctx: AppContext,
  actor: Actor,
  { projectId, words = '', file = '', from = 0, limit, ...filter }: FindQuery & { projectId: string },
): Promise<FoundPage> {
  const { store, ownerId } = await authorizeHistory(ctx, actor, projectId, 'read')
  if (words.trim() === '' && file.trim() === '') throw new Refusal('give words to find, or a file')
  if ([...file].length > MAX_WORDS_CHARACTERS)
    throw new Refusal(`the path of the file has at most ${MAX_WORDS_CHARACTERS} characters`)
  const wordGroups = parseWords(ownerId, words)
  const fileGroups = file.trim() === '' ? [] : [[toFileWord(ownerId, file.trim())]]
  const groups = [...wordGroups, ...fileGroups]
  if (groups.length === 0 || !(await ctx.store.hasHistory(projectId))) return { found: [], next: undefined }
  const lists = await store.findPassages({ ownerId, groups, limit: MAX_PASSAGES_OF_WORD })
  const within = fileGroups.length === 0 ? undefined : new Set(lists.at(-1)?.map(toSourceNumber))
  const ranked = await rankSessions(wordGroups.length === 0 ? lists : lists.slice(0, wordGroups.length), within)
  const sources = await readSources(store, { ownerId, ...filter }, ranked)
  const lines = await rankLines(store, ownerId, sources, { groups, weights: lists.map(weightOf) })
  const ordered = sources
    .map((one) => ({ ...one, best: lines.get(one.number) ?? [] }))
    .filter((one) => one.best.length > 0 || one.erasedLines === 0)
    .sort((a, b) => b.weight + weightOfBest(b) - a.weight - weightOfBest(a) || b.activeAt - a.activeAt)
  const page = ordered.slice(from, from + limit)
  const shown = page.flatMap(({ number, best }) =>
    best.slice(0, SHOWN_LINES).map(({ line }) => ({ source: number, line })),
  )
  const places = Map.groupBy(await store.listLinesNamed(shown), ({ source }) => source)
  const found: FoundSession[] = []
  for (const source of page) {
    const lines = await readShown(store, source, places.get(source.number) ?? [], words)
    found.push({ session: toSession(source), lines })
  }
  if (ordered.length > from + limit) return { found, next: from + limit }
  return { found, next: undefined, ...(sources.length === MAX_FOUND && { only_best: MAX_FOUND }) }
}

type RankedLine = { line: number; weight: number }
type RankedSource = FoundSource & Ranked

const weightOfBest = ({ best }: { best: RankedLine[] }) => best[0]?.weight ?? 0

/** The first of the ranked sessions that pass the filter; of those of one weight the last active. */
async function readSources(store: HistoryStore, filter: SourceFilter, ranked: Ranked[]): Promise<RankedSource[]> {
  const known = new Map(ranked.map((one) => [one.source, one]))
  const sets = [...Map.groupBy(ranked, ({ weight }) => weight).values()]
  const steps = [...sets.slice(0, MAX_STEPS - 1), sets.slice(MAX_STEPS - 1).flat()]
  const found: RankedSource[] = []
  for (const step of steps) {
    if (step.length === 0 || found.length >= MAX_FOUND) break
    const numbers = step.map(({ source }) => source)
    for (const source of await store.listFoundSources({ ...filter, numbers, limit: MAX_FOUND - found.length })) {
      const rank = known.get(source.number)
      if (rank !== undefined) found.push({ ...source, ...rank })
    }
  }
  return found
}

/** Of each source the lines of its best passages that have any of the words, best first, then in their order. */
async function rankLines(
  store: HistoryStore,
  ownerId: string,
  sources: RankedSource[],
  { groups, weights }: { groups: number[][]; weights: number[] },
): Promise<Map<number, RankedLine[]>> {
  const passages = await store.readPassages(
    ownerId,
    sources.flatMap((source) => source.passages),
  )
  const lines = new Map<number, RankedLine[]>()
  for (const passage of passages) {
    const source = toSourceNumber(passage.number)
    const found = findLines(passage, groups).map(({ line, groups }) => ({
      line,
      weight: groups.reduce((sum, group) => sum + (weights[group] ?? 0), 0),
    }))
    lines.set(source, [...(lines.get(source) ?? []), ...found])
  }
  for (const source of sources) {
    const ofSource = (lines.get(source.number) ?? []).filter(({ line }) => line > source.erasedLines)
    lines.set(
      source.number,
      ofSource.sort((a, b) => b.weight - a.weight || a.line - b.line),
    )
  }
  return lines
}

async function readShown(
  store: HistoryStore,
  source: FoundSource,
  places: (LinePlace & { line: number })[],
  words: string,
): Promise<FoundLine[]> {
  const found: FoundLine[] = []
  const read = createTextReader(store)
  for (const { line, ...place } of places.sort((a, b) => a.line - b.line)) {
    const bytes = await read(place)
    const parsed = bytes && (await parseLineInTurn(utf8.decode(bytes)))
    const findable = toFindable(source, parsed)
    if (parsed === undefined || findable === undefined || findable.kind === 'result') continue
    const at = FORMATS.get(source.assistant as Assistant)?.toEntry(parsed)?.at ?? null
    found.push({ line, role: findable.kind, at, text: toExcerpt(findable.text, words) })
  }
  return found
}

/** Characters of an excerpt, and how many of them stand before the first word in question. */
const EXCERPT_CHARACTERS = 240
const LEAD_CHARACTERS = 60
/** Characters of a text in which words are looked for. */
const MAX_SEARCHED_CHARACTERS = 8_000

/** The part of a text around the first of some words, in one line; its beginning if it has them in other forms only. */
function toExcerpt(text: string, words: string): string {
  const line = text
    .slice(0, MAX_SEARCHED_CHARACTERS)
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
  const lower = line.toLowerCase()
  const places = words
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2)
    .map((word) => lower.indexOf(word))
    .filter((place) => place >= 0)
  const first = Math.min(...places, line.length)
  const from = first === line.length || first < LEAD_CHARACTERS ? 0 : first - LEAD_CHARACTERS
  const end = from + EXCERPT_CHARACTERS
  return `${from > 0 ? '…' : ''}${line.slice(from, end).toWellFormed()}${end < line.length ? '…' : ''}`
}
