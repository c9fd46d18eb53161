import { expect, onTestFinished, test } from 'bun:test'
import { createOutput } from '../../../src/agent/relay/lines.ts'
import { readMessage } from '../../../src/agent/relay/message.ts'
import { createSession } from '../../../src/agent/relay/session.ts'
import { openServiceClient } from '../../../src/agent/service-client.ts'
import { waitUntil } from '../../wait-until.ts'
import { json, namesIn, startEndpoint, UNKNOWN_KEY } from '../start-agent.ts'

test('whoever asks again for the tools, from a service that is away by then, gets those given before, also while they are still being kept', async () => {
  let isAway = false
  const { url } = startEndpoint(() =>
    isAway
      ? new Response(null, { status: 401 })
      : json('{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a"},{"name":"b"}]}}'),
  )
  const [lines, reports]: [string[], string[]] = [[], []]
  const disk = Promise.withResolvers<void>()
  let kept: string | undefined
  const write = async (tools: string) => {
    await disk.promise
    kept = tools
  }
  const session = createSession({
    client: openServiceClient({ SVC_ENDPOINT: url, SVC_API_KEY: UNKNOWN_KEY }),
    cache: { read: async () => kept, write },
    output: createOutput(async (bytes) => void lines.push(Buffer.from(bytes).toString())),
    report: (text) => void reports.push(text),
    readSyncReport: () => Promise.reject(new Error('not asked for')),
    now: Date.now,
    intervalMs: 60_000,
    awayIntervalMs: 60_000,
  })
  onTestFinished(session.stop)
  const list = (id: number) =>
    session.handle(
      readMessage(Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":"tools/list"}`)),
      new AbortController().signal,
    )
  await list(1)
  isAway = true
  const again = list(2)
  await waitUntil('the service is known to be away', () => reports.length > 0)
  disk.resolve()
  await again
  expect(lines.map((line) => namesIn(JSON.parse(line)))).toEqual(Array(2).fill(['a', 'b', 'memsvc_sync_status']))
})
