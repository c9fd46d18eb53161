import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isObject } from '../../jsonrpc.ts'
import { makeBrief, makeNews, USUAL_BRIEF_LENGTH } from '../brief/brief.ts'
import { EVERY_WORKSPACE, isActive, searchFresh } from '../brief/records.ts'
import { toSaveAdvice } from '../brief/render.ts'
import { findWorkspace } from '../brief/workspace.ts'
import { requireClient } from '../clients/clients.ts'
import type { HookEvent } from '../clients/hooks.ts'
import type { Machine } from '../clients/machine.ts'
import { readClientEnvironment } from '../clients/registration.ts'
import { readStateDir } from '../config.ts'
import { readSyncSettings } from '../histories/sync/settings.ts'
import { wakeUploads } from '../histories/sync/wake.ts'
import { createServiceClient, type ServiceClient } from '../service-client.ts'
import { readState, writeState } from '../state-file.ts'
import { forgetOldSessions, type HookInput, readHookInput, readSession, type Session, writeSession } from './input.ts'

type HookCall = {
  event: HookEvent
  clientId: string
  machine: Machine
  input: AsyncIterable<Uint8Array>
  /** The folder of the process, used if the client sends none. */
  dir: string
  now: number
}

/** Time limit for the service, since a session waits for its hooks. */
const TIMEOUT_MS = 600
/** How long hooks skip the service after it timed out. */
const PAUSE_MS = 60_000

const ACTS: Record<HookEvent, (run: Run) => Promise<Told>> = {
  'session-start': startSession,
  'session-end': endTurn,
}

/**
 * Runs a hook of a client. Returns its output, or undefined if there is none, also if the service is down, the key is
 * wrong, or anything else fails. A session is never held up or disturbed.
 */
export async function runHook(call: HookCall, timeoutMs = TIMEOUT_MS): Promise<string | undefined> {
  try {
    if (call.event === 'session-end') await wakeIfAgreed(call)
    const input = await readHookInput(call.input, call.dir)
    return input === undefined ? undefined : await act(call, input, timeoutMs)
  } catch {
    return undefined
  }
}

/** Uploads a finished turn without waiting for the next scan. */
async function wakeIfAgreed({ machine: { environment }, now }: HookCall): Promise<void> {
  if ((await readSyncSettings(environment)) !== undefined) await wakeUploads(environment, now)
}

async function act(
  { event, clientId, machine, now }: HookCall,
  input: HookInput,
  timeoutMs: number,
): Promise<string | undefined> {
  const environment = await readClientEnvironment(requireClient(clientId), machine)
  const client = createServiceClient(environment)
  if (await isPaused(machine, client.baseUrl, now)) return undefined
  const session = await readSession(environment, clientId, input.session)
  const tell = async () => {
    const workspace = await findWorkspace(environment, input.dir, (name) => isActive(client, name, timeoutMs))
    return ACTS[event]({ client, input, workspace, session, timeoutMs })
  }
  const told = await tell().catch((error) => pause(machine, client.baseUrl, now, error))
  if (event === 'session-start') await forgetOldSessions(environment, now)
  if (told === undefined) return undefined
  await writeSession(environment, clientId, input.session, told.session)
  return JSON.stringify(toHookOutput(clientId, event, input, told.text))
}

const pauseFile = ({ environment }: Machine) => join(readStateDir(environment), 'hooks-paused.json')

/** Records that a service timed out, so that the next hooks do not wait for it as well. */
async function pause(machine: Machine, baseUrl: string, now: number, error: unknown): Promise<undefined> {
  if (isObject(error) && error.code === 'timeout')
    await writeState(pauseFile(machine), { baseUrl, until: now + PAUSE_MS })
}

async function isPaused(machine: Machine, baseUrl: string, now: number): Promise<boolean> {
  const paused = await readState(pauseFile(machine))
  return (
    isObject(paused) &&
    paused.baseUrl === baseUrl &&
    Number(paused.until) > now &&
    Number(paused.until) <= now + PAUSE_MS
  )
}

/** A text for the model, in the form that the client expects from a hook of this event. */
function toHookOutput(clientId: string, event: HookEvent, { event: hookEventName }: HookInput, text: string): object {
  if (event === 'session-end') return toContinuation(clientId, text)
  if (clientId === 'cursor') return { additional_context: text }
  return { hookSpecificOutput: { hookEventName, additionalContext: text } }
}

/** An output that makes a model that has finished its turn take another one. */
function toContinuation(clientId: string, text: string): object {
  if (clientId === 'cursor') return { followup_message: text }
  if (clientId === 'gemini') return { decision: 'deny', reason: text }
  if (clientId === 'codex') return { decision: 'block', reason: text }
  return { hookSpecificOutput: { hookEventName: 'Stop', additionalContext: text } }
}

/**
 * One run of a hook: the client's input, the workspace of its folder if it has one, what the session was told before,
 * and the time limit for the service.
 */
type Run = {
  client: ServiceClient
  input: HookInput
  workspace: string | undefined
  session: Session
  timeoutMs: number
}

/** The text for the model, and the session's updated state; undefined if there is nothing to tell. */
type Told = { text: string; session: Session } | undefined

/**
 * A session starts, is cleared, or has lost its context: it is told the brief. One that is resumed still has it, and is
 * told what was saved since.
 */
async function startSession({ client, workspace, input, session, timeoutMs }: Run): Promise<Told> {
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
async function endTurn({ client, workspace, input, session, timeoutMs }: Run): Promise<Told> {
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
