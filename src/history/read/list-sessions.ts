import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { limitsOf } from '../../account/limits/plan.ts'
import { toIsoTimeOrNull } from '../../clock.ts'
import { type HistorySource, type SourceFilter, type SourcePlace, sumBytes } from '../../store/history.ts'
import { findActions } from '../../transcripts/actions.ts'
import type { Assistant, TokenUsage } from '../../transcripts/format.ts'
import { FORMATS } from '../../transcripts/formats.ts'
import { parseLineInTurn } from '../../transcripts/parse-line.ts'
import { findSavedRecords } from '../../transcripts/saved-records.ts'
import { authorizeHistory } from '../authorize-history.ts'
import { MAX_LENGTH_AMONG_OTHERS, readLines, requireOwnSession, type Session, toSession } from './session.ts'

/** Filter of a list of sessions. `before` is the `next` of the previous page. */
type SessionFilter = Omit<SourceFilter, 'ownerId' | 'kind'> & {
  subagents?: boolean | undefined
  before?: string | undefined
  limit: number
}

/** `next` is undefined on the last page. */
export type SessionPage = { sessions: Session[]; next: string | undefined }

/** What the actor has uploaded to a project, and what the plan allows for the whole project. */
export type HistoryState = { sessions: number; bytes: number; limit: number; received_at: string | null }

/**
 * The sessions of the actor in a project, most recently active first; without subagents unless requested.
 *
 * @throws Refusal for a project that the actor may not use, Notice where the subscription forbids it.
 */
export async function listSessions(
  ctx: AppContext,
  actor: Actor,
  { projectId, subagents = false, before, limit, ...filter }: SessionFilter & { projectId: string },
): Promise<SessionPage> {
  const { store, ownerId } = await authorizeHistory(ctx, actor, projectId, 'read')
  if (!(await ctx.store.hasHistory(projectId))) return { sessions: [], next: undefined }
  const kind = subagents ? undefined : 'main'
  const found = await store.listSources({ ...filter, ownerId, kind, before: readPlace(before), limit: limit + 1 })
  const shown = found.slice(0, limit)
  const last = shown.at(-1)
  return {
    sessions: shown.map(toSession),
    next: found.length > limit && last !== undefined ? toPlace(last) : undefined,
  }
}

const toPlace = ({ activeAt, id }: HistorySource) => `${activeAt}.${id}`

/** An invalid position means the beginning. */
function readPlace(text: string | undefined): SourcePlace | undefined {
  const [, activeAt, id] = /^(-?\d{1,16})\.([\w-]{1,64})$/.exec(text ?? '') ?? []
  return activeAt === undefined || id === undefined ? undefined : { activeAt: Number(activeAt), id }
}

/**
 * One session of the actor and its subagents, oldest first.
 *
 * @throws Refusal if there is none, Notice where the subscription forbids it.
 */
export async function findSession(
  ctx: AppContext,
  actor: Actor,
  { projectId, id }: { projectId: string; id: string },
): Promise<{ session: Session; subagents: Session[] }> {
  const histories = await authorizeHistory(ctx, actor, projectId, 'read')
  const source = await requireOwnSession(ctx, histories, id)
  const { ownerId, assistant, sessionId } = source
  const subagents = source.kind === 'main' ? await histories.store.listSubagents(ownerId, assistant, sessionId) : []
  return { session: toSession(source), subagents: subagents.map(toSession) }
}

/** Bytes of session histories of all owners in a project, which count against the plan. */
export async function readProjectBytes({ store }: Pick<AppContext, 'store'>, projectId: string): Promise<number> {
  return (await store.hasHistory(projectId)) ? sumBytes(await store.history(projectId).listOwners()) : 0
}

/** What the actor has stored, and the bytes that the plan allows the project. */
export async function readHistoryState(ctx: AppContext, actor: Actor, projectId: string): Promise<HistoryState> {
  const { store, ownerId, account } = await authorizeHistory(ctx, actor, projectId)
  const limit = limitsOf(account).historyBytes
  if (!(await ctx.store.hasHistory(projectId))) return { sessions: 0, bytes: 0, limit, received_at: null }
  const { bytes, sources, receivedAt } = await store.readHistoryUsage(ownerId)
  return { sessions: sources, bytes, limit, received_at: toIsoTimeOrNull(receivedAt) }
}

/** What a session did, as far as its lines say: the files it named in calls of tools, and the tokens it used. */
export type SessionSummary = {
  files: string[]
  /** Ids that `remember` answered, in order; they may be of no record that the reader may see. */
  records: string[]
  /** Undefined where the assistant does not write it down. */
  tokens: { input: number; output: number } | undefined
  /** Only the beginning of a long session is read, and no very long line. */
  isPartial: boolean
}

/** Maximum lines, and UTF-16 units of text, that are read. */
const MAX_LINES = 3_000
const MAX_LENGTH = 4 * 2 ** 20
const MAX_FILES = 200
const MAX_RECORDS = 50
/** Longer texts are no paths. */
const MAX_PATH_CHARACTERS = 1_000

/**
 * The files and tokens of a session of the actor.
 *
 * @throws Refusal if there is no such session, Notice where the subscription forbids it.
 */
export async function readSummary(
  ctx: AppContext,
  actor: Actor,
  { projectId, id }: { projectId: string; id: string },
): Promise<SessionSummary> {
  const histories = await authorizeHistory(ctx, actor, projectId, 'read')
  const source = await requireOwnSession(ctx, histories, id)
  const format = FORMATS.get(source.assistant as Assistant)
  const files = new Set<string>()
  const records = new Set<string>()
  const usages = new Map<string, TokenUsage>()
  let [count, length] = [0, 0]
  for await (const { text } of readLines(histories.store, source, 1)) {
    if (count >= MAX_LINES || length >= MAX_LENGTH) break
    length += text.length
    if (text.length > MAX_LENGTH_AMONG_OTHERS) continue
    count += 1
    const line = await parseLineInTurn(text)
    if (line === undefined) continue
    for (const path of findActions(format?.turnOf(line)?.calls ?? []).paths)
      if (files.size < MAX_FILES && path.length <= MAX_PATH_CHARACTERS) files.add(path)
    const entry = text.includes('made_stale') ? format?.toEntry(line) : undefined
    if (entry?.role === 'tool')
      for (const id of findSavedRecords(entry.text)) if (records.size < MAX_RECORDS) records.add(id)
    const usage = format?.usageOf?.(line)
    if (usage !== undefined) usages.set(usage.id, usage)
  }
  return {
    files: [...files].sort(),
    records: [...records],
    tokens: toTotal([...usages.values()]),
    isPartial: count < source.lines,
  }
}

function toTotal(usages: TokenUsage[]): SessionSummary['tokens'] {
  if (usages.length === 0) return undefined
  const sum = (name: 'input' | 'output') => usages.reduce((total, usage) => total + usage[name], 0)
  return { input: sum('input'), output: sum('output') }
}
