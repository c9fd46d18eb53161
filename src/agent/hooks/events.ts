import { stat } from 'node:fs/promises'
import { makeBrief, makeNews, USUAL_BRIEF_LENGTH } from '../brief/brief.ts'
import { EVERY_WORKSPACE, searchFresh } from '../brief/records.ts'
import { toSaveAdvice } from '../brief/render.ts'
import type { ServiceClient } from '../service-client.ts'
import type { HookInput } from './input.ts'
import type { Session } from './session.ts'

/**
 * One run of a hook: the client's input, the workspace of its folder if it has one, what the session was told before,
 * and the time limit for the service.
 */
export type Run = {
  client: ServiceClient
  input: HookInput
  workspace: string | undefined
  session: Session
  timeoutMs: number
}

/** The text for the model, and the session's updated state; undefined if there is nothing to tell. */
export type Told = { text: string; session: Session } | undefined

/**
 * A session starts, is cleared, or has lost its context: it is told the brief. One that is resumed still has it, and is
 * told what was saved since.
 */
export async function startSession({ client, workspace, input, session, timeoutMs }: Run): Promise<Told> {
  const isReminded = session.isReminded && input.source !== 'clear'
  if (input.source === 'resume' && session.latest !== undefined) {
    const before = { ids: session.told, latest: session.latest }
    const news = await makeNews(client, workspace, before, USUAL_BRIEF_LENGTH, timeoutMs)
    return (
      news && { text: news.text, session: { told: [...session.told, ...news.ids], latest: news.latest, isReminded } }
    )
  }
  const { text, ids, latest } = await makeBrief(client, workspace, USUAL_BRIEF_LENGTH, timeoutMs)
  return { text, session: { told: ids, latest, isReminded } }
}

/** A session with a shorter history has hardly decided anything. */
const MIN_HISTORY_BYTES = 64 * 1024

/**
 * Once per session, at the end of a turn and unless the session is short: reminds the model to save what was decided.
 */
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
