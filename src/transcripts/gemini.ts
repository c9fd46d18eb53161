import {
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

/**
 * Gemini CLI: a first line that describes the session, then messages, and changes to earlier ones (`$set`,
 * `$rewindTo`). A message is rewritten under the same id when it has received the results of its calls. Lines do not
 * contain the folder of the session.
 */
export const gemini: Format = {
  assistant: 'gemini',
  verifiedWith: { version: '0.61.0', date: '2026-11-22' },
  toEntry: (line) => toTimedEntry(findEntry(line), line.timestamp),
  turnOf: ({ type, content, toolCalls }) =>
    type === 'gemini' ? { text: toPartsText(content), calls: toCalls(toolCalls, 'name', 'args') } : undefined,
  usageOf: ({ id, tokens }) => {
    const { input, output, thoughts } = toObject(tokens)
    return tokens === undefined ? undefined : { id: String(id), input: sumOf(input), output: sumOf(output, thoughts) }
  },
  idOf: ({ id }) => toText(id),
  sessionOf: ({ sessionId, startTime, timestamp, kind }) => ({
    ...toFacts({ sessionId, timestamp: timestamp ?? startTime }),
    ...(kind === 'subagent' && { isSubagent: true }),
  }),
  omissionOf: (name) => (name === 'thoughtSignature' ? 'encrypted' : undefined),
}

function findEntry(line: TranscriptLine): Shown | undefined {
  switch (line.type) {
    case 'user':
      return toUserEntry(line.content)
    case 'gemini':
      return toModelEntry(line)
    case 'info':
    case 'warning':
    case 'error':
      return { role: 'system', text: toPartsText(line.content) }
    default:
      return undefined
  }
}

/** Results of tools stand in messages of the user. */
function toUserEntry(content: unknown): Shown {
  const results = toObjects(content)
    .map(({ functionResponse }) => toObject(functionResponse))
    .filter(({ name }) => name !== undefined)
  if (results.length === 0) return { role: 'user', text: toPartsText(content) }
  const texts = results.map(({ response }) => toReadable(toObject(response).output ?? response))
  return toToolEntry('tool', results[0]?.name, joinTexts(texts))
}

function toModelEntry({ content, toolCalls, thoughts }: TranscriptLine): Shown {
  const calls = toObjects(toolCalls)
  const thinking = toObjects(thoughts).map(({ subject, description }) =>
    joinTexts([toText(subject), toText(description)]),
  )
  const text = joinTexts([...thinking, toPartsText(content), ...calls.map(({ args }) => toReadable(args))])
  return toToolEntry('assistant', calls[0]?.name, text)
}

function toPartsText(content: unknown): string {
  return typeof content === 'string'
    ? content
    : joinTexts(toObjects(content).map(({ text, inlineData }) => (inlineData === undefined ? toText(text) : IMAGE)))
}
