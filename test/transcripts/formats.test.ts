import { expect, test } from 'bun:test'
import { FORMATS } from '../../src/transcripts/formats.ts'

/** Nested so deeply that it can be parsed, but not written again. */
const DEEP = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000))

const ODD_LINES = [
  { type: 'assistant', message: { content: [{ type: 'tool_use', name: 'x', input: DEEP }] } },
  { type: 'response_item', payload: { type: 'function_call_output', output: { content: DEEP } } },
  { type: 'gemini', toolCalls: [{ name: 'x', args: DEEP }] },
  { type: 'part', data: { type: 'tool', state: { input: DEEP, output: DEEP } } },
  { type: 'assistant.message', data: { toolRequests: [{ arguments: DEEP }] } },
  {},
  { type: 'not-known-yet', payload: { type: 7 } },
  { type: 'user', message: null },
  { type: 'user', message: { content: [null, 1, 'text', { type: 'tool_result', content: 5 }] } },
  { type: 'assistant', message: { content: { $omitted: { bytes: 9, reason: 'image' } } } },
  { type: 'attachment', attachment: [] },
  { type: 'response_item', payload: { type: 'message', content: 'no list' } },
  { type: 'response_item', payload: { type: 'x_call_output', output: [[]] } },
  { uuid: 5, timestamp: {}, cwd: [], type: ['user'] },
]

test.each([...FORMATS.values()])('$assistant: a line of an unknown kind is no error', (format) => {
  for (const line of ODD_LINES) {
    format.toEntry(line)
    for (const fact of Object.values(format.sessionOf(line))) expect(fact).toBeString()
  }
  expect(format.toEntry({ type: 'not-known-yet', content: 'text' })).toBeNull()
})

test('codex: an event about rate limits alone says nothing of tokens', () => {
  const count = (info: object | null) => ({
    type: 'event_msg',
    payload: { type: 'token_count', info, rate_limits: {} },
  })
  const usageOf = FORMATS.get('codex')?.usageOf
  expect(usageOf?.(count({ total_token_usage: { input_tokens: 5, output_tokens: 3 } }))).toEqual({
    id: 'total',
    input: 5,
    output: 3,
  })
  expect(usageOf?.(count(null))).toBeUndefined()
})
