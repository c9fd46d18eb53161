import { stat } from 'node:fs/promises'
import { makeBrief, USUAL_BRIEF_LENGTH } from '../brief/brief.ts'
import { searchFresh } from '../brief/records.ts'
import { FRAME, toRecordLine } from '../brief/render.ts'
import { DEFAULT_WORKSPACE } from '../brief/workspace.ts'
import type { ServiceClient } from '../service-client.ts'
import { chooseForPrompt, MAX_TOLD_RECORDS } from './choose.ts'
import type { HookInput } from './input.ts'
import type { Session } from './session.ts'

/** One run of a hook: what the client said, what the session was told before, and how long the service may take. */
export type Run = { client: ServiceClient; input: HookInput; workspace: string; session: Session; timeoutMs: number }

/** What the model is told, if anything, and what the session was told then. */
export type Told = { text: string; session: Session } | undefined

/** A session starts, goes on later, or has lost what it knew: it is told the brief. */
export async function startSession({ client, workspace, input, session, timeoutMs }: Run): Promise<Told> {
  const brief = await makeBrief(client, workspace, USUAL_BRIEF_LENGTH, timeoutMs)
  if (brief === undefined) return undefined
  const isReminded = session.isReminded && input.source !== 'clear'
  return { text: brief.text, session: { told: brief.ids, isReminded } }
}

/** A longer prompt is asked for by its beginning. */
const MAX_QUERY_LENGTH = 2_000
/** Up to three records that match a prompt well and that the session was not told yet. */
export async function answerPrompt({ client, workspace, input, session, timeoutMs }: Run): Promise<Told> {
  const query = input.prompt.slice(0, MAX_QUERY_LENGTH).trim()
  // A command of the client is no question.
  if (query === '' || query.startsWith('/')) return undefined
  const workspaces = [...new Set([workspace, DEFAULT_WORKSPACE])]
  const wish = { query, limit: MAX_TOLD_RECORDS + 1 }
  const found = await Promise.all(workspaces.map((one) => searchFresh(client, { ...wish, workspace: one }, timeoutMs)))
  const best = chooseForPrompt(found.flat()).filter(({ id }) => !session.told.includes(id))
  if (best.length === 0) return undefined
  const lines = best.map((record) => toRecordLine(record, workspace))
  const text = [`The project memory (memsvc) has this on the prompt. ${FRAME}`, ...lines].join('\n')
  return { text, session: { ...session, told: [...session.told, ...best.map(({ id }) => id)] } }
}

/** A session whose history is shorter has hardly decided anything. */
const MIN_HISTORY_BYTES = 64 * 1024

/** Once in a session, when a turn has ended and the session is not a short one: what was decided is to be saved. */
export async function endTurn({ client, workspace, input, session, timeoutMs }: Run): Promise<Told> {
  if (session.isReminded || input.isContinued || (await isShort(input.transcript))) return undefined
  // Only where saving would succeed: the answer itself does not matter.
  await searchFresh(client, { query: '*', workspace, limit: 1 }, timeoutMs)
  return { text: toReminder(workspace), session: { ...session, isReminded: true } }
}

/** A history that cannot be looked at says nothing. */
async function isShort(transcript: string | undefined): Promise<boolean> {
  const found = transcript === undefined ? undefined : await stat(transcript).catch(() => undefined)
  return found !== undefined && found.size < MIN_HISTORY_BYTES
}

function toReminder(workspace: string): string {
  return `If this session decided or learned something that later sessions should know, and it is not saved yet, save it now: one fact a record, with the memsvc tool \`remember\`, workspace "${workspace}". If there is nothing to save, end without mentioning this.`
}
