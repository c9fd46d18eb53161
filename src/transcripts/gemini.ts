import { IMAGE, joinTexts, toFacts, toObject, toObjects, toReadable, toText } from './fields.ts'
import type { Format, TranscriptEntry, TranscriptLine } from './format.ts'

/**
 * Gemini CLI: a first line that describes the session, then messages, and changes to what stands before (`$set`, `$rewindTo`). A message is written again, under the same id, when
 * it has got the results of its calls. Lines do not say in which folder the session is.
 */
export const gemini: Format = {
  assistant: 'gemini',
  verifiedWith: { version: '0.61.0', date: '2026-11-22' },
  recordId: () => null,
  toEntry: (line) => {
    const entry = findEntry(line)
    if (entry === undefined || entry.text === '') return null
    const id = toText(line.id)
    return { ...entry, at: toText(line.timestamp) ?? null, ...(id !== undefined && { id }) }
  },
  sessionOf: ({ sessionId, startTime, timestamp, kind }) => ({
    ...toFacts({ sessionId, timestamp: timestamp ?? startTime }),
    ...(kind === 'subagent' && { isSubagent: true }),
  }),
  omissionOf: (name) => (name === 'thoughtSignature' ? 'encrypted' : undefined),
}

function findEntry(line: TranscriptLine): Omit<TranscriptEntry, 'at'> | undefined {
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
function toUserEntry(content: unknown): Omit<TranscriptEntry, 'at'> {
  const results = toObjects(content)
    .map(({ functionResponse }) => toObject(functionResponse))
    .filter(({ name }) => name !== undefined)
  if (results.length === 0) return { role: 'user', text: toPartsText(content) }
  const tool = toText(results[0]?.name)
  const texts = results.map(({ response }) => toReadable(toObject(response).output ?? response))
  return { role: 'tool', text: joinTexts(texts), ...(tool !== undefined && { tool }) }
}

function toModelEntry({ content, toolCalls, thoughts }: TranscriptLine): Omit<TranscriptEntry, 'at'> {
  const calls = toObjects(toolCalls)
  const tool = toText(calls[0]?.name)
  const thinking = toObjects(thoughts).map(({ subject, description }) => joinTexts([toText(subject), toText(description)]))
  const text = joinTexts([...thinking, toPartsText(content), ...calls.map(({ args }) => toReadable(args))])
  return { role: 'assistant', text, ...(tool !== undefined && { tool }) }
}

function toPartsText(content: unknown): string {
  return typeof content === 'string'
    ? content
    : joinTexts(toObjects(content).map(({ text, inlineData }) => (inlineData === undefined ? toText(text) : IMAGE)))
}
