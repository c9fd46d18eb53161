import type { Actor } from '../../account/auth/actor.ts'
import type { AppContext } from '../../account/context.ts'
import { findActions } from '../../transcripts/actions.ts'
import type { Assistant, TokenUsage } from '../../transcripts/format.ts'
import { FORMATS } from '../../transcripts/formats.ts'
import { findSavedRecords } from '../../transcripts/saved-records.ts'
import { authorizeHistory } from '../authorize-history.ts'
import { MAX_LENGTH_AMONG_OTHERS, parseStored, readLines } from './lines.ts'
import { requireOwnSession } from './session.ts'

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
    const line = await parseStored(text)
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
