import { expect, onTestFinished, test } from 'bun:test'
import { join } from 'node:path'
import type { Answered } from '../start-service.ts'
import { FAULTS, type Fault, PROGRESS, startFaultyProxy } from './faulty-proxy.ts'
import { UNKNOWN_KEY, withKnownTools } from './start-agent.ts'

const MAIN = join(import.meta.dir, '../../src/main.ts')
const CALLS = 10_000
/**
 * Of these many calls in a row each fault befalls one of a tool that may be called again, and one of a tool that may
 * not.
 */
const PERIOD = 260
const LARGE_IDS = [1_000, 5_001, 9_000]
const LARGE_BYTES = 20 * 2 ** 20

/** What the client should be told of a call. */
type Expected = 'result' | 'too many' | 'broken' | 'busy' | 'key_rejected' | 'unexpected'

const isRepeatable = (id: number) => id % 2 === 0
const faultOf = (id: number): Fault => FAULTS[Math.floor((id % PERIOD) / 2)] ?? 'none'
const idIn = (body: string) => Number(/"id":(\d+)/.exec(body)?.[1])
const toCall = (id: number) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${isRepeatable(id) ? 'search' : 'remember'}","arguments":{"n":${id}.0,"q":"é👩‍👧"}}}`
const toAnswer = (id: number) =>
  `{"jsonrpc":"2.0","id":${id},"result":{"text":"é👩‍👧${LARGE_IDS.includes(id) ? 'x'.repeat(LARGE_BYTES) : id}","n":${id}.0,"n":1}}`

const EXPECTED: Partial<Record<Fault, [repeatable: Expected, other: Expected]>> = {
  'cut before the answer': ['result', 'broken'],
  'cut within its head': ['result', 'broken'],
  'cut within its body': ['result', 'broken'],
  reset: ['result', 'broken'],
  '503': ['result', 'busy'],
  '429': ['result', 'too many'],
  '401': ['key_rejected', 'key_rejected'],
  page: ['unexpected', 'unexpected'],
}
const expectedOf = (id: number): Expected => EXPECTED[faultOf(id)]?.[isRepeatable(id) ? 0 : 1] ?? 'result'

function outcomeOf(line: string): Expected | string {
  const answer = JSON.parse(line) as Answered
  if (answer.error === undefined) return line === toAnswer(Number(answer.id)) ? 'result' : 'another result'
  return answer.error.code === -32600 ? 'too many' : (answer.error.data as { reason: string }).reason
}

test(`each of ${CALLS} calls over a connection full of faults gets one answer, and no call that changes something is sent twice`, async () => {
  const sent = new Map<number, number>()
  const { url } = await startFaultyProxy({
    fault: (body) => {
      const id = idIn(body)
      const before = sent.get(id) ?? 0
      sent.set(id, before + 1)
      return body === toCall(id) && before === 0 ? faultOf(id) : body === toCall(id) ? 'none' : 'page'
    },
    answer: (body) => toAnswer(idIn(body)),
  })
  const environment = await withKnownTools({ SVC_ENDPOINT: url, SVC_API_KEY: UNKNOWN_KEY })
  const agent = Bun.spawn([process.execPath, MAIN, 'agent'], { env: environment, stdio: ['pipe', 'pipe', 'ignore'] })
  onTestFinished(() => agent.kill('SIGKILL'))
  const feeding = feed(agent.stdin)

  const outcomes = new Map<number, string[]>()
  let progress = 0
  for await (const line of readLines(agent.stdout)) {
    if (line === PROGRESS) progress += 1
    else {
      const { id } = JSON.parse(line) as { id: number }
      outcomes.set(id, [...(outcomes.get(id) ?? []), outcomeOf(line)])
    }
    if (outcomes.size === CALLS) break
  }
  await feeding
  await agent.stdin.end()

  const ids = Array.from({ length: CALLS }, (_, at) => at)
  // A fault may be lost with the connection of the call before; what may be sent again is then sent without it.
  const isSentAgain = (id: number) => isRepeatable(id) && (sent.get(id) ?? 0) > 1
  // So may a first attempt: a refusal of the second one, which is the first to arrive, is final.
  const isRefusedAtLast = (id: number) => isRepeatable(id) && sent.get(id) === 1 && /^(429|503)$/.test(faultOf(id))
  const isRight = (id: number) => {
    const outcome = outcomes.get(id)?.join()
    return (
      outcome === expectedOf(id) ||
      (isSentAgain(id) && outcome === 'result') ||
      (isRefusedAtLast(id) && outcome === 'busy')
    )
  }
  expect(ids.filter((id) => !isRight(id)).map((id) => [id, faultOf(id), outcomes.get(id)])).toEqual([])
  expect(ids.filter((id) => !isRepeatable(id) && sent.get(id) !== 1)).toEqual([])
  const streamed = ids.filter((id) => faultOf(id) === 'stream')
  expect(progress).toBeWithin(streamed.filter((id) => !isSentAgain(id)).length, streamed.length + 1)
  expect(await agent.exited).toBe(0)
})

/** Sends all calls, in lines and chunks as they come. */
async function feed(input: Bun.FileSink): Promise<void> {
  for (let id = 0; id < CALLS; id++) {
    input.write(`${toCall(id)}\n`)
    if (id % 100 === 0) await input.flush()
  }
  await input.flush()
}

async function* readLines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let parts: string[] = []
  for await (const chunk of stream) {
    const lines = decoder.decode(chunk, { stream: true }).split('\n')
    const [first = '', ...rest] = lines
    parts.push(first)
    for (const next of rest) {
      yield parts.join('')
      parts = [next]
    }
  }
}
