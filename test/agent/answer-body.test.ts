import { expect, onTestFinished, test } from 'bun:test'
import { readBytes } from '../../src/agent/answer.ts'
import { rejectionOf } from '../rejection-of.ts'

const MAX_BYTES = 100_000

/** The answer of a server to one request. */
async function ask(answer: () => Response): Promise<Response> {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer })
  onTestFinished(() => server.stop(true))
  return fetch(server.url)
}

const text = (length: number) => 'x'.repeat(length)
const zipped = (length: number) => new Response(Bun.gzipSync(text(length)), { headers: { 'content-encoding': 'gzip' } })

const endless = () =>
  new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(Buffer.from(text(10_000))) })

test.each([
  ['of the largest size', () => new Response(text(MAX_BYTES))],
  ['without a length', () => new Response(new Blob([text(MAX_BYTES)]).stream())],
  ['that is compressed', () => zipped(MAX_BYTES)],
])('a body %s is read', async (_, answer) => {
  expect((await readBytes(await ask(answer), MAX_BYTES)).length).toBe(MAX_BYTES)
})

test.each([
  ['that says so', () => new Response(text(MAX_BYTES + 1))],
  ['that never ends', () => new Response(endless())],
  ['that is compressed to a small one', () => zipped(50 * MAX_BYTES)],
])('a body too large %s is refused', async (_, answer) => {
  expect(await rejectionOf(readBytes(await ask(answer), MAX_BYTES))).toBe('The answer is larger than 100000 bytes.')
})
