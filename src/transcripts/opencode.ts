import {
  type AssistantTurn,
  type Format,
  joinTexts,
  type Shown,
  type TranscriptLine,
  toFacts,
  toObject,
  toReadable,
  toText,
  toTimedEntry,
  toToolEntry,
} from './format.ts'

/**
 * opencode stores its histories in a database. The local agent converts rows to lines: `{ type: 'session' | 'message' |
 * 'part', id, session_id, …, data }`, where a part also has the `role` of its message. A changed row is written again
 * under the same id.
 */
export const opencode: Format = {
  assistant: 'opencode',
  verifiedWith: { version: '1.18.33', date: '2026-11-22' },
  toEntry: ({ type, role, data, time_created }) => {
    const shown = type === 'part' ? findEntry(toObject(data), role) : undefined
    return toTimedEntry(shown, toTime(time_created))
  },
  turnOf: ({ type, role, data }) => (type === 'part' ? findTurn(toObject(data), role) : undefined),
  idOf: ({ type, id }) => (toText(type) === undefined || toText(id) === undefined ? undefined : `${type} ${id}`),
  sessionOf: (line) => {
    const timestamp = toTime(line.time_updated) ?? toTime(line.time_created)
    if (line.type !== 'session') return toFacts({ sessionId: line.session_id, timestamp })
    const { parent_id, directory, version } = toObject(line.data)
    const facts = toFacts({ sessionId: line.id, parentSessionId: parent_id, cwd: directory, version, timestamp })
    return { ...facts, ...(facts.parentSessionId !== undefined && { isSubagent: true }) }
  },
  omissionOf: (name, parent) => {
    if (name === 'reasoningEncryptedContent') return 'encrypted'
    return name === 'diffs' && Array.isArray(parent.diffs) ? 'copy' : undefined
  },
}

function findEntry(data: TranscriptLine, role: unknown): Shown | undefined {
  switch (data.type) {
    case 'text':
      return {
        role: data.synthetic === true ? 'system' : role === 'user' ? 'user' : 'assistant',
        text: toReadable(data.text),
      }
    case 'reasoning':
      return { role: 'assistant', text: toReadable(data.text) }
    case 'tool':
      return toCallEntry(data)
    default:
      return undefined
  }
}

function findTurn({ type, text, tool, state, synthetic }: TranscriptLine, role: unknown): AssistantTurn | undefined {
  if (type === 'tool') return { text: '', calls: [{ tool: toText(tool), input: toObject(state).input }] }
  const isSaid = type === 'text' && role !== 'user' && synthetic !== true
  return isSaid ? { text: toReadable(text), calls: [] } : undefined
}

/** A call and its result are in one part. */
function toCallEntry({ tool, state }: TranscriptLine): Shown {
  const { input, output, error } = toObject(state)
  return toToolEntry('tool', tool, joinTexts([toReadable(input), toReadable(output), toReadable(error)]))
}

/** Times are milliseconds since 1970. */
function toTime(time: unknown): string | null {
  if (typeof time !== 'number') return null
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
