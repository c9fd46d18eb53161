import {
  type AssistantTurn,
  type Format,
  IMAGE,
  joinTexts,
  type Shown,
  sumOf,
  type TranscriptLine,
  toCalls,
  toFacts,
  toObject,
  toObjects,
  toReadable,
  toText,
  toTimedEntry,
  toToolEntry,
} from './format.ts'
import type { OmissionReason } from './omitted.ts'

/**
 * Members that are not sent, by the type of their object. A `copy` is what the program stores of files and of its own
 * requests: instructions, tools, messages.
 */
const OMITTED = new Map<string, OmissionReason>([
  ['thinking.signature', 'encrypted'],
  ['redacted_thinking.data', 'encrypted'],
  ['file-history-snapshot.snapshot', 'copy'],
  ['api-request-shape.shape', 'copy'],
  ['api-request-blob.message', 'copy'],
  ['prompt_snapshot.systemPrompt', 'copy'],
  ['prompt_snapshot.tools', 'copy'],
])

/**
 * Claude Code: one JSON object per line, a file for each session and each of its subagents. Lines of the conversation
 * have a `uuid`, which forks of a session copy unchanged; lines without one are internal notes of the program.
 */
export const claudeCode: Format = {
  assistant: 'claude-code',
  verifiedWith: { version: '2.1.330', date: '2026-11-22' },
  toEntry: (line) => toTimedEntry(findEntry(line), line.timestamp),
  turnOf: findTurn,
  usageOf: ({ message }) => {
    const { id, usage } = toObject(message)
    const used = toObject(usage)
    if (toText(id) === undefined || used.output_tokens === undefined) return undefined
    const input = sumOf(used.input_tokens, used.cache_creation_input_tokens, used.cache_read_input_tokens)
    return { id: String(id), input, output: sumOf(used.output_tokens) }
  },
  idOf: ({ uuid }) => toText(uuid),
  sessionOf: ({ sessionId, cwd, gitBranch, version, timestamp }) =>
    toFacts({ sessionId, cwd, gitBranch, version, timestamp }),
  omissionOf: (name, { type }) => OMITTED.get(`${type}.${name}`),
}

function findEntry(line: TranscriptLine): Shown | undefined {
  switch (line.type) {
    case 'user':
      return toUserEntry(line)
    case 'assistant':
      return toAssistantEntry(toObject(line.message).content)
    case 'system':
      return { role: 'system', text: toReadable(line.content) }
    case 'summary':
      return { role: 'system', text: toReadable(line.summary) }
    case 'attachment':
      return toQueuedPrompt(toObject(line.attachment))
    default:
      return undefined
  }
}

/**
 * Results of tools stand on lines of the user. Lines marked `isMeta` and summaries of what was compacted are written by
 * the program.
 */
function toUserEntry(line: TranscriptLine): Shown {
  const { content } = toObject(line.message)
  const results = toObjects(content).filter(({ type }) => type === 'tool_result')
  if (results.length > 0) return { role: 'tool', text: joinTexts(results.map((result) => toBlockText(result.content))) }
  const text = toBlockText(content)
  if (line.isCompactSummary === true) return { role: 'system', text, isSummary: true }
  return { role: line.isMeta === true ? 'system' : 'user', text }
}

function toAssistantEntry(content: unknown): Shown {
  const calls = toObjects(content).filter(({ type }) => type === 'tool_use')
  const inputs = calls.map(({ input }) => toReadable(input))
  return toToolEntry('assistant', calls[0]?.name, joinTexts([toBlockText(content), ...inputs]))
}

function findTurn({ type, message }: TranscriptLine): AssistantTurn | undefined {
  if (type !== 'assistant') return undefined
  const { content } = toObject(message)
  const blocks = toObjects(content)
  const text = typeof content === 'string' ? content : toBlockText(blocks.filter((block) => block.type === 'text'))
  return {
    text,
    calls: toCalls(
      blocks.filter((block) => block.type === 'tool_use'),
      'name',
      'input',
    ),
  }
}

/** A prompt that was typed while the assistant was working. */
function toQueuedPrompt({ type, prompt }: TranscriptLine): Shown | undefined {
  return type === 'queued_command' ? { role: 'user', text: toBlockText(prompt) } : undefined
}

/** The text of a message: a string, or blocks. */
function toBlockText(content: unknown): string {
  if (typeof content === 'string') return content
  return joinTexts(
    toObjects(content).map(({ type, text, thinking }) =>
      type === 'image' ? IMAGE : (toText(thinking) ?? toText(text)),
    ),
  )
}
