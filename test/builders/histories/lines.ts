import type { Line, Session, Writer } from './writer.ts'

/** How an assistant begins a history, and how it goes on. */
export type LineWriter = {
  begin: (writer: Writer, session: Session) => Line[]
  next: (writer: Writer, session: Session) => Line
}

const at = (writer: Writer) => new Date(writer.tick()).toISOString()

function toClaudeLine(writer: Writer, session: Session, type: string, content: unknown): Line {
  const { line, random } = writer
  const common = {
    uuid: random.uuid(),
    sessionId: session.parentId ?? session.id,
    cwd: session.cwd,
    version: '2.1.330',
    gitBranch: 'main',
  }
  return line({
    type,
    ...common,
    timestamp: at(writer),
    isSidechain: session.parentId !== undefined,
    message: { role: type, content },
  })
}

const claudeCode: LineWriter = {
  begin: (writer, session) => [
    writer.line({ type: 'queue-operation', operation: 'enqueue', sessionId: session.id, timestamp: at(writer) }),
    toClaudeLine(writer, session, 'user', writer.text()),
  ],
  next: (writer, session) => {
    const { random, text, line, picture } = writer
    const id = random.uuid()
    return random.pick([
      () => toClaudeLine(writer, session, 'user', text()),
      () =>
        toClaudeLine(writer, session, 'assistant', [
          { type: 'thinking', thinking: text(), signature: 'A'.repeat(200) },
        ]),
      () =>
        toClaudeLine(writer, session, 'assistant', [
          { type: 'tool_use', id, name: 'Bash', input: { command: text() } },
        ]),
      () =>
        toClaudeLine(writer, session, 'user', [
          { type: 'tool_result', tool_use_id: id, content: text(), image: picture() },
        ]),
      () => line({ type: 'file-history-snapshot', messageId: id, snapshot: { trackedFileBackups: { [text()]: {} } } }),
      () => line({ type: 'last-prompt', lastPrompt: text(), sessionId: session.id }),
    ])()
  },
}

function toCodexLine(writer: Writer, type: string, payload: object): Line {
  return writer.line({ timestamp: at(writer), type, payload })
}

const codex: LineWriter = {
  begin: (writer, { id, cwd, parentId }) => {
    const git = { branch: 'main' }
    return [
      toCodexLine(writer, 'session_meta', {
        id,
        cwd,
        cli_version: '0.169.0',
        git,
        ...(parentId && { forked_from_id: parentId }),
      }),
    ]
  },
  next: (writer, { cwd }) => {
    const { random, text, picture } = writer
    const call_id = random.uuid()
    return random.pick([
      () => toCodexLine(writer, 'turn_context', { turn_id: call_id, cwd }),
      () =>
        toCodexLine(writer, 'response_item', {
          type: 'message',
          role: 'user',
          content: [{ type: 'input_text', text: text() }],
        }),
      () => toCodexLine(writer, 'response_item', { type: 'reasoning', summary: [], encrypted_content: text() }),
      () =>
        toCodexLine(writer, 'response_item', {
          type: 'function_call',
          name: 'shell',
          arguments: JSON.stringify({ cmd: text() }),
          call_id,
        }),
      () => toCodexLine(writer, 'response_item', { type: 'function_call_output', call_id, output: text() }),
      () =>
        toCodexLine(writer, 'compacted', {
          message: text(),
          replacement_history: [{ type: 'message', image: picture() }],
        }),
      () => toCodexLine(writer, 'event_msg', { type: 'agent_message', message: text() }),
    ])()
  },
}

const gemini: LineWriter = {
  begin: (writer, { id, parentId }) => [
    writer.line({
      sessionId: id,
      projectHash: 'a'.repeat(64),
      startTime: at(writer),
      kind: parentId === undefined ? 'main' : 'subagent',
    }),
  ],
  next: (writer) => {
    const { random, text, line, picture } = writer
    const id = random.uuid()
    return random.pick([
      () =>
        line({
          id,
          timestamp: at(writer),
          type: 'user',
          content: [{ text: text() }, { inlineData: { data: picture() } }],
        }),
      () => line({ id, timestamp: at(writer), type: 'gemini', content: text(), thoughts: [], model: 'gemini-2.5-pro' }),
      () => line({ $set: { lastUpdated: at(writer), messages: [{ id, type: 'user', content: text() }] } }),
      () => line({ $rewindTo: id }),
    ])()
  },
}

function toCopilotLine({ line, random, tick }: Writer, type: string, data: object): Line {
  return line({ type, data, id: random.uuid(), timestamp: new Date(tick()).toISOString(), parentId: null })
}

const copilot: LineWriter = {
  begin: (writer, { id, cwd }) => [
    toCopilotLine(writer, 'session.start', {
      sessionId: id,
      copilotVersion: '1.0.102',
      context: { cwd, branch: 'main' },
    }),
  ],
  next: (writer) => {
    const { random, text, picture } = writer
    return random.pick([
      () => toCopilotLine(writer, 'user.message', { content: text() }),
      () => toCopilotLine(writer, 'assistant.message', { content: text(), toolRequests: [], reasoningOpaque: text() }),
      () => toCopilotLine(writer, 'tool.execution_complete', { result: { content: text() } }),
      () => toCopilotLine(writer, 'session.binary_asset', { assetId: 'sha256:0', type: 'image', data: picture() }),
    ])()
  },
}

export const LINE_WRITERS = { 'claude-code': claudeCode, codex, gemini, copilot }
export type LineAssistant = keyof typeof LINE_WRITERS
