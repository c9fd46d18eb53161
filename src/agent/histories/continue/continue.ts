import { lstat, mkdir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Refusal } from '../../../errors.ts'
import { parseLine } from '../../../transcripts/parse-line.ts'
import { writeWhole } from '../../../whole-file.ts'
import { listFiles, PLACES, toFound } from '../places.ts'
import type { Machine } from '../source.ts'
import { hasOmission, RESUMABLE } from './resumable.ts'

/** A session as the service has it. */
type UploadedSession = {
  assistant: string
  session_id: string
  source_key: string
  kind: 'main' | 'subagent'
  parent_session_id: string | null
  cwd: string | null
}

/**
 * The file that was written, and what resumes it in the folder `dir`. `left_out` is the number of uploaded
 * lines in which something was left out at the upload, `redacted` the number of credentials that were masked.
 */
export type Continued = {
  file: string
  dir: string
  command: string[]
  lines: number
  left_out: number
  redacted: number
}

const OWNER_ONLY_FILE = 0o600
const OWNER_ONLY_FOLDER = 0o700

/**
 * Writes an uploaded session to the place where its assistant resumes sessions of the folder `dir`, which is the
 * session's own by default. `read` returns its lines in pieces of JSON Lines.
 *
 * @throws Refusal for an assistant or a session that cannot be resumed, if the session or something else is in that
 *   place, if the folder does not exist, and if the file system refuses.
 */
export async function continueSession(
  machine: Machine,
  session: UploadedSession,
  wished: string | undefined,
  read: () => Promise<AsyncIterable<Uint8Array>>,
): Promise<Continued> {
  const resumable = RESUMABLE.get(session.assistant)
  if (resumable === undefined)
    throw new Refusal(
      `sessions of ${[...RESUMABLE.keys()].join(' and ')} can be continued, not of ${session.assistant}`,
    )
  if (session.kind === 'subagent')
    throw new Refusal(`this is a subagent; continue its session '${session.parent_session_id ?? ''}'`)
  const dir = await requireDir(session, wished)
  const path = resumable.toPath({ ...session, dir })
  await requireAbsent(machine, session)
  const counts = { lines: 0, left_out: 0, redacted: 0 }
  const toReadable = resumable.begin()
  const move = (from: unknown) => moveFolder(from, session.cwd, dir)

  async function* toLines(): AsyncGenerator<string, void> {
    for await (const text of splitLines(await read())) {
      const line = parseLine(text)
      const readable = line && toReadable(line)
      if (hasOmission(line)) counts.left_out += 1
      if (line !== undefined && readable === undefined) continue
      const placed = readable && dir !== session.cwd ? resumable?.withFolder(readable, move) : readable
      counts.lines += 1
      counts.redacted += text.split('[REDACTED:').length - 1
      yield `${placed === line ? text : JSON.stringify(placed)}\n`
    }
  }

  const file = await writeNew(resumable.root(machine), path, toLines())
  return { file, dir, command: resumable.command(session.session_id), ...counts }
}

async function requireDir({ cwd }: UploadedSession, wished: string | undefined): Promise<string> {
  const dir = wished ?? cwd
  if (dir === null) throw new Refusal('the folder of this session is not known; name one with --dir')
  const found = await realpath(dir).catch(() => undefined)
  if (found !== undefined && (await lstat(found)).isDirectory()) return found
  throw new Refusal(
    wished === undefined
      ? `the folder of this session, '${dir}', is not on this machine; name another one with --dir`
      : `there is no folder '${dir}'`,
  )
}

/** Wherever the assistant has it: it resumes only one of two. */
async function requireAbsent(machine: Machine, { assistant, session_id: id }: UploadedSession): Promise<void> {
  const place = PLACES.find((one) => one.assistant === assistant)
  if (place === undefined) return
  for (const one of await listFiles(place, machine)) {
    const { sessionId, kind } = toFound(place, one) ?? {}
    if (sessionId === id && kind === 'main')
      throw new Refusal(`this session is on this machine already, and stays as it is: ${one.file}`)
  }
}

/** A path inside the session's own folder becomes the same path inside the new one. */
function moveFolder(path: unknown, from: string | null, to: string): unknown {
  if (typeof path !== 'string' || from === null) return path
  return path === from || path.startsWith(from + sep) ? to + path.slice(from.length) : path
}

async function* splitLines(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Writes a file that is not there yet, without following links below the root. @throws Refusal */
async function writeNew(root: string, path: string[], lines: AsyncIterable<string>): Promise<string> {
  try {
    await mkdir(root, { recursive: true, mode: OWNER_ONLY_FOLDER })
    let folder = await realpath(root)
    for (const name of path.slice(0, -1)) {
      folder = join(folder, name)
      await mkdir(folder, { recursive: true, mode: OWNER_ONLY_FOLDER })
      if ((await realpath(folder)) !== folder) throw new Refusal(`'${folder}' leads to another place`)
    }
    const file = join(folder, path.at(-1) ?? '')
    if (await lstat(file).catch(() => undefined)) throw new Refusal(`'${file}' is there already, and stays as it is`)
    await writeWhole(file, lines, OWNER_ONLY_FILE)
    return file
  } catch (error) {
    if (error instanceof Error && 'syscall' in error)
      throw new Refusal(`the session cannot be written: ${error.message}`)
    throw error
  }
}
