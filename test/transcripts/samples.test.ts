import { expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Assistant, SessionFacts, TranscriptLine } from '../../src/transcripts/format.ts'
import { FORMATS } from '../../src/transcripts/formats.ts'
import { reduceLine } from '../../src/transcripts/reduce.ts'

/** Lines that the assistants themselves have written, shortened; `bench/histories.ts` makes them. */
const SAMPLES = join(import.meta.dir, 'samples')

async function readSample(name: string): Promise<TranscriptLine[]> {
  const text = await Bun.file(join(SAMPLES, `${name}.jsonl`)).text()
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

function requireFormat(assistant: Assistant) {
  const format = FORMATS.get(assistant)
  if (format === undefined) throw new Error(`no format of ${assistant}`)
  return format
}

/** What is shown of a history, without the texts that the programs add. */
async function readTranscript(assistant: Assistant, name: string): Promise<string[]> {
  const { idOf, toEntry } = requireFormat(assistant)
  const lines = new Map((await readSample(name)).map((line, at) => [idOf(line) ?? at, line]))
  return [...lines.values()]
    .map(toEntry)
    .filter((entry) => entry !== null)
    .filter(({ role, text }) => role !== 'system' && !/^\s*<(?!untrusted)/.test(text))
    .map(({ role, tool, text }) => `${role}${tool === undefined ? '' : ` ${tool}`}: ${text.replaceAll('\n', ' ')}`)
}

async function readFacts(assistant: Assistant, name: string): Promise<SessionFacts> {
  const facts = (await readSample(name)).map((line) => requireFormat(assistant).sessionOf(line))
  return Object.assign({}, ...facts.toReversed())
}

const SHELL = '{"command":"echo from the harbour","description":"Says where it is"}'

test('Claude Code: a session, its subagent and a fork of it are shown', async () => {
  const session = await readTranscript('claude-code', 'claude-code-session')
  expect(session.slice(0, 5)).toEqual([
    'user: look around',
    `assistant Bash: ${SHELL}`,
    'tool: from the harbour',
    'assistant Read: {"file_path":"/home/ada/harbour/crane.png"}',
    'tool: [image]',
  ])
  expect(session.at(5)).toStartWith('assistant Agent: {"description":"Counts the cranes"')
  expect(session.slice(-3)).toEqual(['assistant: done', 'user: and then?', 'assistant: ok'])
  const fork = await readTranscript('claude-code', 'claude-code-fork')
  expect(fork).toEqual([...session, 'user: or otherwise?', 'assistant: ok'])
  const subagent = await readTranscript('claude-code', 'claude-code-subagent')
  expect(subagent).toEqual([
    'user: Count the cranes',
    'assistant Bash: {"command":"ls","description":"Lists"}',
    'tool: crane.png',
    'assistant: done',
  ])
})

test('Codex: a session, its subagent and a fork of it are shown', async () => {
  const session = await readTranscript('codex', 'codex-session')
  expect(session.slice(0, 3)).toEqual([
    'user: [image] look around',
    'assistant exec_command: {"cmd":"echo from the harbour"}',
    expect.stringMatching(/^tool: Chunk ID/),
  ])
  expect(session).toContain('user: and then?')
  expect(session.at(-1)).toBe('assistant: ok')
  expect((await readTranscript('codex', 'codex-subagent')).slice(0, 1)).toEqual(['user: Count the cranes'])
  expect((await readTranscript('codex', 'codex-fork')).slice(-2)).toEqual(['user: or otherwise?', 'assistant: ok'])
})

test('Gemini CLI: a message that was written again is shown once, with its calls', async () => {
  expect((await readTranscript('gemini', 'gemini-session')).slice(0, 4)).toEqual([
    'user: look around',
    `assistant run_shell_command: ${SHELL}`,
    expect.stringMatching(/^tool run_shell_command: <untrusted_context>/),
    expect.stringMatching(/^assistant invoke_agent: .*Count the cranes/),
  ])
  expect((await readTranscript('gemini', 'gemini-subagent'))[0]).toContain('Count the cranes')
})

test('opencode: parts are shown with the role of their message', async () => {
  const session = await readTranscript('opencode', 'opencode-session')
  expect(session.slice(0, 2)).toEqual(['user: "look around"', `tool bash: ${SHELL} from the harbour `])
  expect(session.slice(-2)).toEqual(['user: "and then?"', 'assistant: ok'])
})

test('Copilot CLI: messages, calls and their results are shown', async () => {
  const session = await readTranscript('copilot', 'copilot-session')
  expect(session.slice(0, 3)).toEqual([
    'user: look around',
    `assistant bash: ${SHELL}`,
    'tool: from the harbour <shellId: 0 completed with exit code 0>',
  ])
  expect(session.slice(-2)).toEqual(['user: and then?', 'assistant: ok'])
  expect(session.filter((line) => line.startsWith('user:'))).toEqual(['user: look around', 'user: and then?'])
})

test.each<[Assistant, string, SessionFacts]>([
  ['claude-code', 'claude-code-session', { cwd: '/home/ada/harbour', version: '2.1.330', gitBranch: 'HEAD' }],
  ['claude-code', 'claude-code-subagent', { cwd: '/home/ada/harbour', version: '2.1.330' }],
  ['codex', 'codex-session', { cwd: '/home/ada/harbour', version: '0.169.0' }],
  ['codex', 'codex-subagent', { cwd: '/home/ada/harbour', isSubagent: true, parentSessionId: expect.any(String) }],
  ['codex', 'codex-fork', { cwd: '/home/ada/harbour', parentSessionId: expect.any(String) }],
  ['gemini', 'gemini-subagent', { isSubagent: true }],
  ['opencode', 'opencode-session', { cwd: '/home/ada/harbour', version: '1.18.33' }],
  [
    'opencode',
    'opencode-subagent',
    { cwd: '/home/ada/harbour', isSubagent: true, parentSessionId: expect.stringMatching(/^ses_/) },
  ],
  ['copilot', 'copilot-session', { cwd: '/home/ada/harbour', version: '1.0.102' }],
])('%s: %s says where and when it was', async (assistant, name, expected) => {
  const facts = await readFacts(assistant, name)
  expect(facts).toMatchObject(expected)
  expect(facts.sessionId).toMatch(/^[\w-]{20,}$/)
  expect(facts.timestamp).toMatch(/^2026-11-\d\dT/)
})

test('what the programs note of their own requests is not sent, and what is left stays as it is', async () => {
  for (const name of ['claude-code-session', 'copilot-session']) {
    const lines = await readSample(name)
    const assistant = name.startsWith('copilot') ? 'copilot' : 'claude-code'
    const reasons = lines
      .map((line) => /"reason":"(\w+)"/.exec(JSON.stringify(line))?.[1])
      .filter((reason) => reason !== undefined)
    expect(reasons).toContain('copy')
    for (const line of lines) expect(reduceLine(assistant, JSON.stringify(line))).toBe(JSON.stringify(line))
  }
})
