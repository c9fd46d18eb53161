import {
  type AssistantTurn,
  type Format,
  IMAGE,
  joinTexts,
  type SessionFacts,
  type Shown,
  sumOf,
  type TranscriptLine,
  toFacts,
  toObject,
  toObjects,
  toReadable,
  toText,
  toTimedEntry,
  toToolEntry,
} from './format.ts'

/**
 * Codex: lines `{ timestamp, type, payload }`. `response_item` has what the model was sent and answered; `event_msg`
 * repeats it for the screen, and is therefore not an entry.
 */
export const codex: Format = {
  assistant: 'codex',
  verifiedWith: { version: '0.169.0', date: '2026-11-22' },
  toEntry: (line) => toTimedEntry(findEntry(line), line.timestamp),
  turnOf: findTurn,
  usageOf: ({ payload }) => {
    const { type, info } = toObject(payload)
    const { total_token_usage: total } = toObject(info)
    // One that only tells of rate limits has none.
    if (type !== 'token_count' || total === undefined) return undefined
    const { input_tokens: input, output_tokens: output } = toObject(total)
    // Each has the sum of all before it.
    return { id: 'total', input: sumOf(input), output: sumOf(output) }
  },
  idOf: () => undefined,
  sessionOf: ({ type, payload, timestamp }) => {
    if (type === 'session_meta') return toSession(toObject(payload))
    if (type === 'turn_context') return toFacts({ cwd: toObject(payload).cwd, timestamp })
    return toFacts({ timestamp })
  },
  omissionOf: (name) => {
    if (name === 'encrypted_content') return 'encrypted'
    return name === 'replacement_history' ? 'copy' : undefined
  },
}

function toSession({
  id,
  cwd,
  cli_version,
  timestamp,
  git,
  forked_from_id,
  parent_thread_id,
  source,
}: TranscriptLine): SessionFacts {
  const parent = toText(parent_thread_id) ?? toText(forked_from_id)
  const isSubagent = toObject(source).subagent !== undefined
  const facts = toFacts({
    sessionId: id,
    parentSessionId: parent,
    cwd,
    gitBranch: toObject(git).branch,
    version: cli_version,
    timestamp,
  })
  return { ...facts, ...(isSubagent && { isSubagent }) }
}

function findEntry({ type, payload }: TranscriptLine): Shown | undefined {
  const item = toObject(payload)
  if (type === 'compacted') return { role: 'system', text: toReadable(item.message), isSummary: true }
  if (type !== 'response_item') return undefined
  if (item.type === 'message') return { role: toRole(item), text: toContentText(item.content) }
  if (item.type === 'reasoning') return { role: 'assistant', text: toContentText(item.summary) }
  return findToolEntry(item)
}

function findTurn({ type, payload }: TranscriptLine): AssistantTurn | undefined {
  const item = toObject(payload)
  if (type !== 'response_item') return undefined
  if (item.type === 'message' && item.role === 'assistant') return { text: toContentText(item.content), calls: [] }
  if (!isCall(item)) return undefined
  return { text: '', calls: [{ tool: toText(item.name), input: item.arguments ?? item.input ?? item.action }] }
}

const isCall = ({ type }: TranscriptLine) => typeof type === 'string' && type.endsWith('_call')

/** Calls are `…_call`, and their results `…_call_output`. */
function findToolEntry(item: TranscriptLine): Shown | undefined {
  const kind = toText(item.type) ?? ''
  if (kind.endsWith('_call_output')) return { role: 'tool', text: toOutputText(item.output) }
  if (!isCall(item)) return undefined
  const name = toText(item.name) ?? kind.slice(0, -'_call'.length)
  return toToolEntry('assistant', name, toReadable(item.arguments ?? item.input ?? item.action))
}

/**
 * The program writes to the model as `developer` but also as the user; in the latter case no part is marked as the
 * user's.
 */
function toRole({ role, internal_chat_message_metadata_passthrough: notes }: TranscriptLine): Shown['role'] {
  const kinds = toObject(notes).content_item_kinds
  const isProgram = Array.isArray(kinds) && kinds.length > 0 && !kinds.some((kind) => String(kind).startsWith('user.'))
  if (role === 'user') return isProgram ? 'system' : 'user'
  return role === 'assistant' ? 'assistant' : 'system'
}

/** An image is enclosed in tags of its own. */
const IMAGE_TAG = /^<\/?image\b[^>]*>$/

function toContentText(content: unknown): string {
  const texts = toObjects(content).map(({ type, text }) => (type === 'input_image' ? IMAGE : toText(text)))
  return joinTexts(texts.filter((text) => text === undefined || !IMAGE_TAG.test(text)))
}

function toOutputText(output: unknown): string {
  return Array.isArray(output) ? toContentText(output) : toReadable(toObject(output).content ?? output)
}
