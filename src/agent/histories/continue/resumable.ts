import { join } from 'node:path'
import { Refusal } from '../../../errors.ts'
import { type Assistant, type TranscriptLine, toObject, toObjects, toText } from '../../../transcripts/format.ts'
import { omissionOf } from '../../../transcripts/omitted.ts'
import { claudeFolder, codexFolder, copilotFolder } from '../../clients/machine.ts'
import type { Machine } from '../source.ts'

/** Whether anything within a value is missing, for one of these reasons if there are any. */
export function hasOmission(value: unknown, reasons?: string[]): boolean {
  const omission = omissionOf(value)
  if (omission !== undefined) return reasons === undefined || reasons.includes(String(omission.reason))
  if (typeof value !== 'object' || value === null) return false
  return Object.values(value).some((member) => hasOmission(member, reasons))
}

/** A text for the model and the person in the place of what is missing. */
const toNote = (value: unknown) => {
  const { bytes, reason } = omissionOf(value) ?? {}
  const what = reason === 'image' ? 'an image' : reason === 'binary' ? 'a file' : 'a text'
  return `[${what}${typeof bytes === 'number' ? ` of ${bytes} bytes` : ''} was left out when this session was uploaded]`
}

/**
 * The value with a note in the place of each missing text. `replace` returns what takes the place of an object that has
 * something missing and would not be valid with a note; undefined for all others.
 */
function withNotes(value: unknown, replace: (object: TranscriptLine) => unknown): unknown {
  if (typeof value !== 'object' || value === null || !hasOmission(value)) return value
  if (Array.isArray(value)) return value.map((one) => withNotes(one, replace))
  if (omissionOf(value) !== undefined) return toNote(value)
  const replaced = replace(value as TranscriptLine)
  if (replaced !== undefined) return replaced
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withNotes(one, replace)]))
}

/** What names the file of a session. */
type SessionFile = { session_id: string; source_key: string; dir: string }

/** Where an assistant looks for the file of a session, and how it resumes it. */
type Resumable = {
  /** The folder below which its sessions are. */
  root: (machine: Machine) => string
  /** The folders below the root, and the name of the file. @throws Refusal for what is no name of a session. */
  toPath: (file: SessionFile) => string[]
  /** What resumes the session, in the folder `dir`. */
  command: (sessionId: string) => string[]
  /**
   * Begins a session: the function takes its lines in order, and returns each as the assistant can read it, or undefined
   * for one that has to be left out.
   */
  begin: () => (line: TranscriptLine) => TranscriptLine | undefined
  /** The line with the paths of its folders changed. */
  withFolder: (line: TranscriptLine, move: (path: unknown) => unknown) => TranscriptLine
}

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'
const SESSION_ID = new RegExp(`^${UUID}$`)
const ROLLOUT = new RegExp(`^rollout-(\\d{4})-(\\d\\d)-(\\d\\d)T[\\d-]{8}-(${UUID})\\.jsonl$`)

/** Claude Code names longer folders by a hash of its own. */
const MAX_FOLDER_CHARACTERS = 200

/** @throws Refusal for an id that is no UUID, and might lead out of the folder or be an option of a command. */
function requireUuid(id: string, assistant: string): string {
  if (SESSION_ID.test(id)) return id
  throw new Refusal(`'${id}' is no id of a session of ${assistant}`)
}

const claudeCode: Resumable = {
  root: (machine) => join(claudeFolder(machine), 'projects'),
  toPath: ({ session_id: id, dir }) => {
    const name = `${requireUuid(id, 'Claude Code')}.jsonl`
    const folder = dir.replaceAll(/[^a-zA-Z0-9]/g, '-')
    if (folder.length > MAX_FOLDER_CHARACTERS)
      throw new Refusal(`the path of the folder has more than ${MAX_FOLDER_CHARACTERS} characters; use --dir`)
    return [folder, name]
  },
  command: (id) => ['claude', '--resume', id],
  begin: () => {
    /** The parents of lines that were left out, which become those of their children. */
    const parents = new Map<unknown, unknown>()
    return (line) => {
      const parent = parents.get(line.parentUuid)
      const linked = parent === undefined ? line : { ...line, parentUuid: parent }
      const readable = toClaudeLine(linked)
      if (readable === undefined && toText(line.uuid) !== undefined) parents.set(line.uuid, linked.parentUuid ?? null)
      return readable
    }
  },
  withFolder: (line, move) => ('cwd' in line ? { ...line, cwd: move(line.cwd) } : line),
}

/** Models accept no reasoning without its signature. Notes that the program makes of its own requests are not needed. */
function toClaudeLine(line: TranscriptLine): TranscriptLine | undefined {
  if (!hasOmission(line)) return line
  const message = toObject(line.message)
  if (omissionOf(line) !== undefined || hasOmission({ ...line, message: null }, ['copy', 'encrypted'])) return undefined
  if (!Array.isArray(message.content)) return withNotes(line, () => undefined) as TranscriptLine
  const content = toObjects(message.content).filter((block) => !hasOmission(block, ['encrypted']))
  if (content.length === 0) return undefined
  return withNotes({ ...line, message: { ...message, content } }, ({ type, source }) =>
    (type === 'image' || type === 'document') && hasOmission(source)
      ? { type: 'text', text: toNote(toObject(source).data) }
      : undefined,
  ) as TranscriptLine
}

const codex: Resumable = {
  root: codexFolder,
  toPath: ({ session_id: id, source_key: name }) => {
    requireUuid(id, 'Codex')
    const [, year, month, day] = ROLLOUT.exec(name) ?? []
    if (year === undefined || month === undefined || day === undefined)
      throw new Refusal(`'${name}' is no session of Codex`)
    return ['sessions', year, month, day, name]
  },
  command: (id) => ['codex', 'resume', id],
  begin: () => toCodexLine,
  withFolder: (line, move) => {
    const payload = toObject(line.payload)
    return 'cwd' in payload ? { ...line, payload: { ...payload, cwd: move(payload.cwd) } } : line
  },
}

/** Codex ignores items of an unknown type. Lines keep their places, by which the service knows them. */
const LEFT_OUT = { type: 'response_item', payload: { type: 'left_out' } }

/** Models accept no reasoning without its encrypted text. A summary replaces what was compacted. */
function toCodexLine(line: TranscriptLine): TranscriptLine {
  if (!hasOmission(line)) return line
  const { timestamp, ordinal, payload } = line
  const item = toObject(payload)
  const isReasoning = line.type === 'response_item' && omissionOf(item.encrypted_content) !== undefined
  if (omissionOf(line) !== undefined || isReasoning) return { timestamp, ordinal, ...LEFT_OUT }
  const { replacement_history: history, ...rest } = item
  const kept = omissionOf(history) === undefined ? item : rest
  return withNotes({ ...line, payload: kept }, ({ type, image_url: url }) =>
    type === 'input_image' && omissionOf(url) !== undefined ? { type: 'input_text', text: toNote(url) } : undefined,
  ) as TranscriptLine
}

const copilot: Resumable = {
  root: (machine) => join(copilotFolder(machine), 'session-state'),
  toPath: ({ session_id: id }) => [requireUuid(id, 'Copilot CLI'), 'events.jsonl'],
  command: (id) => ['copilot', `--resume=${id}`],
  begin: () => (line) => withNotes(line, withoutEncrypted) as TranscriptLine,
  withFolder: (line, move) => {
    const data = toObject(line.data)
    const context = toObject(data.context)
    return 'cwd' in context ? { ...line, data: { ...data, context: { ...context, cwd: move(context.cwd) } } } : line
  },
}

/** Models accept no reasoning without its encrypted text, which stands beside its summary. */
function withoutEncrypted(object: TranscriptLine): TranscriptLine | undefined {
  const members = Object.entries(object)
  const kept = members.filter(([, value]) => omissionOf(value)?.reason !== 'encrypted')
  return kept.length === members.length
    ? undefined
    : (withNotes(Object.fromEntries(kept), withoutEncrypted) as TranscriptLine)
}

/** The assistants whose uploaded sessions can be continued. */
export const RESUMABLE: ReadonlyMap<string, Resumable> = new Map<Assistant, Resumable>([
  ['claude-code', claudeCode],
  ['codex', codex],
  ['copilot', copilot],
])
