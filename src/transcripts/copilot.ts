import {
  type Format,
  joinTexts,
  type Shown,
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

const ENCRYPTED = ['reasoningOpaque', 'encryptedContent']

/**
 * GitHub Copilot CLI: events `{ type, data, id, timestamp, parentId }`, those of subagents among those of their
 * session.
 */
export const copilot: Format = {
  assistant: 'copilot',
  verifiedWith: { version: '1.0.102', date: '2026-11-22' },
  toEntry: ({ type, data, timestamp }) => toTimedEntry(findEntry(type, toObject(data)), timestamp),
  turnOf: ({ type, data }) => {
    const { content, toolRequests } = toObject(data)
    return type === 'assistant.message'
      ? { text: toText(content) ?? '', calls: toCalls(toolRequests, 'name', 'arguments') }
      : undefined
  },
  idOf: ({ id }) => toText(id),
  sessionOf: ({ data, timestamp }) => {
    const { sessionId, copilotVersion, context } = toObject(data)
    const { cwd, branch } = toObject(context)
    return toFacts({ sessionId, cwd, gitBranch: branch, version: copilotVersion, timestamp })
  },
  omissionOf: (name, parent): OmissionReason | undefined => {
    if (ENCRYPTED.includes(name)) return 'encrypted'
    // The program's own instructions. Only events have an interaction; arguments of tools may have a role and content
    // too.
    if (name === 'content' && parent.role === 'system' && parent.interactionId !== undefined) return 'copy'
    if (name === 'data' && parent.assetId !== undefined) return parent.type === 'image' ? 'image' : 'binary'
    return undefined
  },
}

function findEntry(type: unknown, data: TranscriptLine): Shown | undefined {
  switch (type) {
    case 'user.message':
      return { role: isOfAgent(data) ? 'system' : 'user', text: toReadable(data.content) }
    case 'assistant.message':
      return toAssistantEntry(data)
    case 'tool.execution_complete':
      return { role: 'tool', text: toResultText(data) }
    case 'session.compaction_complete':
      return { role: 'system', text: toReadable(data.summaryContent), isSummary: true }
    case 'session.error':
    case 'session.warning':
    case 'session.info':
      return { role: 'system', text: toReadable(data.message) }
    default:
      return undefined
  }
}

/** Messages of the user include what a session tells its subagents. */
function isOfAgent({ source }: TranscriptLine): boolean {
  return typeof source === 'string' && source.startsWith('agent-')
}

function toAssistantEntry({ content, reasoningText, toolRequests }: TranscriptLine): Shown {
  const calls = toObjects(toolRequests)
  const text = joinTexts([toText(reasoningText), toText(content), ...calls.map((call) => toReadable(call.arguments))])
  return toToolEntry('assistant', calls[0]?.name, text)
}

function toResultText({ result, error }: TranscriptLine): string {
  return toReadable(toObject(result).content ?? toObject(error).message ?? result)
}
