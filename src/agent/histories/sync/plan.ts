import { tryParseJson } from '../../../jsonrpc.ts'
import { redactLines } from '../../../secrets/redact.ts'
import { toObject } from '../../../transcripts/format.ts'
import { FORMATS } from '../../../transcripts/formats.ts'
import { discover, readHistory } from '../discover.ts'
import type { HistorySource, Machine } from '../source.ts'
import { decide, withSubagents } from './folders.ts'
import type { SyncSettings } from './settings.ts'
import type { Target } from './target.ts'

/** What would be uploaded of an assistant: bytes on disk, and the first and the last day. */
type PlannedAssistant = {
  assistant: string
  sessions: number
  bytes: number
  first: string | null
  last: string | null
}

/** What would be uploaded to a project, and what would not. */
export type Plan = {
  assistants: PlannedAssistant[]
  sessions: HistorySource[]
  /**
   * Sessions of the folders that are excluded by choice or a date, sessions of other folders, and those that cannot
   * be read.
   */
  excluded: number
  outside: number
  unreadable: number
}

/** Examines every history. Makes no request, records nothing, sends nothing. */
export async function planUpload(machine: Machine, settings: SyncSettings, target: Target, now: number): Promise<Plan> {
  const counts = { included: 0, excluded: 0, outside: 0, unreadable: 0 }
  const sessions: HistorySource[] = []
  const found = await discover(machine, new Map(), now)
  const wanted = withSubagents(settings, found)
  for (const source of found) {
    const decision = await decide(wanted, target, source)
    counts[decision] += 1
    if (decision === 'included') sessions.push(source)
  }
  sessions.sort((a, b) => b.mtimeMs - a.mtimeMs)
  const byAssistant = Map.groupBy(sessions, ({ assistant }) => assistant)
  const assistants = [...byAssistant].map(([assistant, all]) => toPlanned(assistant, all))
  const { excluded, outside, unreadable } = counts
  return { assistants, sessions, excluded, outside, unreadable }
}

function toPlanned(assistant: string, all: HistorySource[]): PlannedAssistant {
  const firsts = all.flatMap(({ firstAt }) => firstAt ?? []).sort()
  const lasts = all.map(toLastAt).sort()
  const bytes = all.reduce((sum, one) => sum + one.bytes, 0)
  return {
    assistant,
    sessions: all.length,
    bytes,
    first: firsts[0]?.slice(0, 10) ?? null,
    last: lasts.at(-1)?.slice(0, 10) ?? null,
  }
}

/** When a session was last written to, in ISO 8601. */
export function toLastAt({ lastAt, mtimeMs }: HistorySource): string {
  return lastAt ?? new Date(mtimeMs).toISOString()
}

/** Lines of a session as they would be sent, and the number of redactions by rule in the part that was read. */
export type Sample = { session: string; lines: { role: string; text: string }[]; redacted: Record<string, number> }

const SAMPLE_BYTES = 256 * 1024
const SAMPLE_LINES = 4

/** The beginning of the newest session, redacted. Undefined if no session has text to show. */
export async function readSample({ sessions }: Plan): Promise<Sample | undefined> {
  const [newest] = sessions
  if (newest === undefined) return undefined
  for await (const piece of readHistory(newest, null, SAMPLE_BYTES))
    return piece === 'rewritten' ? undefined : toSample(newest, piece.lines)
  return undefined
}

async function toSample({ assistant, sessionId }: HistorySource, lines: string[]): Promise<Sample | undefined> {
  const all = await redactLines(lines)
  const redacted: Record<string, number> = {}
  for (const { counts } of all)
    for (const [rule, count] of Object.entries(counts)) redacted[rule] = (redacted[rule] ?? 0) + count
  const entries = all.flatMap(({ line }) => toEntry(assistant, line) ?? [])
  // A redacted entry shows best what redaction does.
  const shown = entries
    .toSorted((a, b) => Number(b.text.includes('[REDACTED:')) - Number(a.text.includes('[REDACTED:')))
    .slice(0, SAMPLE_LINES)
  return { session: sessionId, lines: entries.filter((one) => shown.includes(one)), redacted }
}

function toEntry(assistant: HistorySource['assistant'], line: string): { role: string; text: string } | undefined {
  const entry = FORMATS.get(assistant)?.toEntry(toObject(tryParseJson(line)))
  return entry ? { role: entry.role, text: entry.text } : undefined
}
