import { expect, test } from 'bun:test'
import { delayBeforeRetry, findRepeatableTools, isRepeatable } from '../../../src/agent/relay/retry.ts'
import { ServiceError, type ServiceErrorCode } from '../../../src/errors.ts'
import { SERVICE_TOOLS } from '../start-agent.ts'

const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }
const TOOLS = findRepeatableTools(
  JSON.stringify([...JSON.parse(SERVICE_TOOLS), { name: 'hub.search', annotations }, { name: 'bare' }, null]),
)

const call = (name: string) => ({ method: 'tools/call', name })
const delays = (of: { method: string; name: string }, code: ServiceErrorCode, status?: number, retryAfter?: number) =>
  [0, 1, 2, 3].map((attempt) =>
    delayBeforeRetry(isRepeatable(of, TOOLS), new ServiceError(code, '', status, retryAfter), attempt, () => 0.5),
  )

test('only reading is repeatable', () => {
  const names = ['search', 'validate_memory', 'remember', 'forget', 'gateway_call', 'hub.search', 'bare']
  expect(names.map((name) => isRepeatable(call(name), TOOLS))).toEqual([
    ...[true, true],
    ...[false, false, false, false, false],
  ])
  expect(
    ['initialize', 'tools/list', 'server/discover', 'anything/else'].map((method) =>
      isRepeatable({ method, name: undefined }, TOOLS),
    ),
  ).toEqual([...[true, true, true, false]])
})

test('no tool is repeatable whose hints are not known', () => {
  for (const list of ['[]', '{}', '[', '[1]'])
    expect(isRepeatable(call('search'), findRepeatableTools(list))).toBe(false)
})

test('what never left is sent up to three times more; what may have arrived only where it is repeatable', () => {
  expect(delays(call('remember'), 'unreachable')).toEqual([250, 1_000, 3_000, undefined])
  expect(delays(call('remember'), 'broken')).toEqual(Array(4).fill(undefined))
  expect(delays(call('search'), 'broken')).toEqual([250, 1_000, 3_000, undefined])
  expect(delays(call('search'), 'unexpected', 502)).toEqual([250, 1_000, 3_000, undefined])
  expect(delays(call('search'), 'unexpected', 200)).toEqual(Array(4).fill(undefined))
})

test('an answer that is late is asked for once more, where that is safe', () => {
  expect(delays(call('search'), 'timeout')).toEqual([250, undefined, undefined, undefined])
  expect(delays(call('gateway_call'), 'timeout')).toEqual(Array(4).fill(undefined))
})

test('a busy service is waited for once, for up to ten seconds, where that is safe', () => {
  expect(delays(call('search'), 'busy', 503, 10)).toEqual([10_000, undefined, undefined, undefined])
  expect(delays(call('search'), 'busy', 503, 11)).toEqual(Array(4).fill(undefined))
  expect(delays(call('search'), 'busy', 503)).toEqual(Array(4).fill(undefined))
  expect(delays(call('remember'), 'busy', 503, 1)).toEqual(Array(4).fill(undefined))
})

test.each(['key_rejected', 'key_missing', 'certificate', 'endpoint_invalid', 'cancelled'] as const)(
  'nothing is sent again for %s',
  (code) => {
    expect(delays(call('search'), code)).toEqual(Array(4).fill(undefined))
  },
)
