import { stat } from 'node:fs/promises'
import { makeBrief, USUAL_BRIEF_LENGTH } from '../brief/brief.ts'
import { EVERY_WORKSPACE, searchFresh } from '../brief/records.ts'
import { FRAME, toRecordLine, toSaveAdvice } from '../brief/render.ts'
import { DEFAULT_WORKSPACE } from '../brief/workspace.ts'
import type { ServiceClient } from '../service-client.ts'
import type { HookInput } from './input.ts'
import type { Session } from './session.ts'

/** Maximum number of records shown for one prompt. */
export const MAX_TOLD_RECORDS = 3

/** Thresholds for a good match: its score, and its lead over the fourth best, which a prompt without an answer has as well. */
export type PromptRule = { minScore: number; minLead: number }

/**
 * Tuned by `bench/prompt-threshold.ts` on nine sets. For every other question the record with the answer was removed: 4.4 % of these questions still
 * get a record (5 % was the limit), and 18.4 % of the others get one that answers them.
 */
export const PROMPT_RULE: PromptRule = { minScore: 0.8, minLead: 0.2 }

/** The good ones among the best matches, best first. */
export function chooseForPrompt<Match extends { score: number }>(found: Match[], { minScore, minLead } = PROMPT_RULE): Match[] {
  const best = found.toSorted((a, b) => b.score - a.score)
  const next = best[MAX_TOLD_RECORDS]?.score ?? 0
  return best.slice(0, MAX_TOLD_RECORDS).filter(({ score }) => score >= minScore && score - next >= minLead)
}

/** One run of a hook: the client's input, the workspace of its folder if it has one, what the session was told before, and the time limit for the service. */
export type Run = { client: ServiceClient; input: HookInput; workspace: string | undefined; session: Session; timeoutMs: number }

/** The text for the model, and the session's updated state; undefined if there is nothing to tell. */
export type Told = { text: string; session: Session } | undefined

/** A session starts, is resumed, or has lost its context: it is told the brief. */
export async function startSession({ client, workspace, input, session, timeoutMs }: Run): Promise<Told> {
  const brief = await makeBrief(client, workspace, USUAL_BRIEF_LENGTH, timeoutMs)
  const isReminded = session.isReminded && input.source !== 'clear'
  return { text: brief.text, session: { told: brief.ids, isReminded } }
}

/** Longer prompts are truncated for the query. */
const MAX_QUERY_LENGTH = 2_000
/** Up to three records that match a prompt well and were not yet shown to the session. */
export async function answerPrompt({ client, workspace, input, session, timeoutMs }: Run): Promise<Told> {
  const query = input.prompt.slice(0, MAX_QUERY_LENGTH).trim()
  // A command of the client is not a question.
  if (query === '' || query.startsWith('/')) return undefined
  const found = await searchFresh(client, { query, workspace: EVERY_WORKSPACE, limit: MAX_TOLD_RECORDS + 1 }, timeoutMs)
  const best = chooseForPrompt(found ?? []).filter(({ id }) => !session.told.includes(id))
  if (best.length === 0) return undefined
  const lines = best.map((record) => toRecordLine(record, workspace ?? DEFAULT_WORKSPACE))
  const text = [`The project memory (memsvc) has this on the prompt. ${FRAME}`, ...lines].join('\n')
  return { text, session: { ...session, told: [...session.told, ...best.map(({ id }) => id)] } }
}

/** A session with a shorter history has hardly decided anything. */
const MIN_HISTORY_BYTES = 64 * 1024

/** Once per session, at the end of a turn and unless the session is short: reminds the model to save what was decided. */
export async function endTurn({ client, workspace, input, session, timeoutMs }: Run): Promise<Told> {
  if (session.isReminded || input.isContinued || (await isShort(input.transcript))) return undefined
  // Fails if saving would fail too; the answer itself is not used.
  await searchFresh(client, { query: '*', workspace: EVERY_WORKSPACE, limit: 1 }, timeoutMs)
  return { text: toReminder(workspace), session: { ...session, isReminded: true } }
}

/** Whether a session has no history of some length that can be found. */
async function isShort(transcript: string | undefined): Promise<boolean> {
  const found = transcript === undefined ? undefined : await stat(transcript).catch(() => undefined)
  return found === undefined || found.size < MIN_HISTORY_BYTES
}

function toReminder(workspace: string | undefined): string {
  return `If this session decided or learned something that later sessions should know, and it is not saved yet, save it now: one fact a record, with the memsvc tool \`remember\`, ${toSaveAdvice(workspace)}. If there is nothing to save, end without mentioning this.`
}
