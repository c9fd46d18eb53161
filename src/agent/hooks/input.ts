import { createHash } from 'node:crypto'
import { readdir, stat, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { DAY_MS, MINUTE_MS } from '../../clock.ts'
import { isObject, tryParseJson } from '../../jsonrpc.ts'
import { type Environment, readStateDir } from '../config.ts'
import { readState, writeState } from '../state-file.ts'

/** The client's input to a hook. */
export type HookInput = {
  /** The client's name of the event. */
  event: string
  session: string
  /** The folder that the session works in. */
  dir: string
  /** Why a session starts: `startup`, `resume`, `clear`, `compact`. */
  source: string
  /** Whether the client continues only because a hook requested it. */
  isContinued: boolean
  /** The file of the session's history. */
  transcript: string | undefined
}

const MAX_INPUT_BYTES = 4 * 2 ** 20

/** Reads the client's input to a hook; undefined if it is too large or not a JSON object. */
export async function readHookInput(
  input: AsyncIterable<Uint8Array>,
  usualDir: string,
): Promise<HookInput | undefined> {
  const value = await readObject(input)
  if (value === undefined) return undefined
  const [root] = Array.isArray(value.workspace_roots) ? value.workspace_roots : []
  return {
    event: toText(value.hook_event_name) ?? '',
    session: toText(value.session_id) ?? toText(value.conversation_id) ?? '',
    dir: toText(value.cwd) ?? toText(root) ?? usualDir,
    source: toText(value.source) ?? '',
    isContinued: value.stop_hook_active === true || Number(value.loop_count ?? 0) > 0,
    transcript: toText(value.transcript_path),
  }
}

/** Only one object is sent, but some clients leave the pipe open after it. */
async function readObject(input: AsyncIterable<Uint8Array>): Promise<Record<string, unknown> | undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of input) {
    text += decoder.decode(piece, { stream: true })
    if (text.length > MAX_INPUT_BYTES) return undefined
    const value = /\}\s*$/.test(text) ? tryParseJson(text) : undefined
    if (isObject(value)) return value
  }
  return undefined
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/**
 * What one session was already told: ids of records, and the time of the last save when it was told its last brief;
 * absent before the first.
 */
export type Session = { told: string[]; latest?: string; isReminded: boolean }

/** Maximum number of ids kept for one session; the latest are kept. */
const MAX_TOLD = 500
const KEPT_MS = 7 * DAY_MS
/** Maximum number of files of old sessions examined in one run. */
const MAX_LOOKED_AT = 200

const folderOf = (environment: Environment) => join(readStateDir(environment), 'sessions')

/** The session's name is chosen by the client, so it must not become part of a path. */
const fileOf = (environment: Environment, clientId: string, session: string) =>
  join(
    folderOf(environment),
    `${createHash('sha256').update(`${clientId}\n${session}`).digest('hex').slice(0, 32)}.json`,
  )

export async function readSession(environment: Environment, clientId: string, session: string): Promise<Session> {
  const value = await readState(fileOf(environment, clientId, session))
  if (!isObject(value)) return { told: [], isReminded: false }
  const told = Array.isArray(value.told) ? value.told.map(String) : []
  return {
    told,
    isReminded: value.isReminded === true,
    ...(typeof value.latest === 'string' && { latest: value.latest }),
  }
}

export async function writeSession(
  environment: Environment,
  clientId: string,
  session: string,
  { told, ...rest }: Session,
): Promise<void> {
  await writeState(fileOf(environment, clientId, session), { told: told.slice(-MAX_TOLD), ...rest })
}

/** Removes the state of sessions that were inactive for a week. */
export async function forgetOldSessions(environment: Environment, now: number): Promise<void> {
  const folder = folderOf(environment)
  const names = (await readdir(folder).catch(() => [])).sort()
  // Another part each minute: where there are very many, each is examined some time.
  const start = names.length === 0 ? 0 : (Math.floor(now / MINUTE_MS) * MAX_LOOKED_AT) % names.length
  for (const name of [...names.slice(start), ...names.slice(0, start)].slice(0, MAX_LOOKED_AT)) {
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found !== undefined && now - found.mtimeMs > KEPT_MS) await unlink(path).catch(() => {})
  }
}
