import { expect, test } from 'bun:test'
import { waitUntil } from '../../wait-until.ts'
import { json, startAgent, startEndpoint } from '../start-agent.ts'

const STREAM = { headers: { 'content-type': 'text/event-stream' } }
const result = (id: number) => `{"jsonrpc":"2.0","id":${id},"result":{"n":${id}}}`
const progress = (n: number) =>
  `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":"p","progress":${n}}}`
const call = (id: number | string, name = 'hub.slow') =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"${name}"}}`

/** A stream whose chunks a test sends. */
function controlled() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>(undefined, undefined, {
    highWaterMark: 100,
  })
  const writer = writable.getWriter()
  return { readable, write: (text: string) => writer.write(Buffer.from(text)) }
}

test('passes on what an event stream holds as it arrives, in its order, and the response last', async () => {
  const { readable, write } = controlled()
  const { url } = startEndpoint(() => new Response(readable, STREAM))
  const { send, lines } = await startAgent({ endpoint: url })
  await send(call(1))
  await write(`: keep-alive\n\nevent: message\nid: 7\ndata: ${progress(1)}\n\n`)
  await waitUntil('the first', () => lines.length === 1)
  await write(`data:${progress(2)}\r\n\r\ndata: ${result(1)}\r\r`)
  await waitUntil('all', () => lines.length === 3)
  expect(lines).toEqual([progress(1), progress(2), result(1)])
})

test('reads a stream however it is cut: within characters, between CR and LF, with data over several lines', async () => {
  const text = `data: {"jsonrpc":"2.0",\r\ndata: "id":1,"result":{"a":"é👩‍👧"}}\r\n\r\n`
  const { url } = startEndpoint(() => {
    const bytes = Buffer.from(text)
    let at = 0
    return new Response(
      new ReadableStream({
        pull: (controller) => {
          if (at === bytes.length) return controller.close()
          controller.enqueue(bytes.subarray(at, at + 1))
          at += 1
        },
      }),
      STREAM,
    )
  })
  const { send, lines } = await startAgent({ endpoint: url })
  await send(call(1))
  await waitUntil('the answer', () => lines.length > 0)
  expect(lines).toEqual(['{"jsonrpc":"2.0", "id":1,"result":{"a":"é👩‍👧"}}'])
})

test('a stream that ends without a response is told as broken', async () => {
  const { url } = startEndpoint(
    () => new Response(`data: ${progress(1)}\n\ndata: {"jsonrpc":"2.0","id":1,"resu`, STREAM),
  )
  const { send, answerTo, lines } = await startAgent({ endpoint: url })
  await send(call(1))
  expect((await answerTo(1)).error).toMatchObject({ data: { reason: 'broken' } })
  expect(lines).toBeArrayOfSize(2)
})

test('gives one answer to a request, however many the service sends', async () => {
  const { url } = startEndpoint(({ body }) =>
    body.includes('"hub.slow"')
      ? new Response(`data: ${result(1)}\n\ndata: ${result(1)}\n\ndata: ${progress(9)}\n\n`, STREAM)
      : json(result(2)),
  )
  const { send, answerTo, lines } = await startAgent({ endpoint: url })
  await send(call(1))
  await answerTo(1)
  await send(call(2, 'search'))
  await answerTo(2)
  expect(lines).toEqual([result(1), result(2)])
})

test('requests run beside each other, and are answered as the service answers', async () => {
  const waiting = new Map<string, (response: Response) => void>()
  const { url, heard } = startEndpoint(({ body }) => {
    const { id } = JSON.parse(body) as { id: number }
    return new Promise<Response>((resolve) => waiting.set(`${id}`, () => resolve(json(result(id)))))
  })
  const { send, lines } = await startAgent({ endpoint: url })
  for (let id = 1; id <= 40; id++) await send(call(id))
  await waitUntil('as many as may run at once', () => heard.length === 32)
  const answer = (id: number) => waiting.get(`${id}`)?.(new Response())
  answer(32)
  await waitUntil('the next is sent', () => heard.length === 33)
  for (let id = 31; id > 0; id--) answer(id)
  await waitUntil('all are sent', () => heard.length === 40)
  for (let id = 33; id <= 40; id++) answer(id)
  await waitUntil('all are answered', () => lines.length === 40)
  expect(lines[0]).toBe(result(32))
  expect(new Set(lines)).toEqual(new Set(Array.from({ length: 40 }, (_, at) => result(at + 1))))
})

test.each([7, 'a', '"', 9007199254740993n])(
  'a cancelled request (%p) ends at the service, is not answered, and the service is told',
  async (id) => {
    const text = typeof id === 'bigint' ? `${id}` : JSON.stringify(id)
    const aborted: string[] = []
    const { url, heard } = startEndpoint(({ body }, _times, signal) => {
      if (body.includes('cancelled')) return new Response(null, { status: 202 })
      if (!body.includes('hub.slow')) return json(result(2))
      return new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          aborted.push(body)
          resolve(json(`{"jsonrpc":"2.0","id":${text},"result":{}}`))
        })
      })
    })
    const { send, answerTo, lines } = await startAgent({ endpoint: url })
    await send(call(1).replace('"id":1', `"id":${text}`))
    await waitUntil('the request is there', () => heard.length === 1)
    await send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${text}}}`)
    await waitUntil('the service is told', () => heard.length === 2 && aborted.length === 1)
    await send(call(2, 'search'))
    await answerTo(2)
    expect(lines).toEqual([result(2)])
  },
)

test('an id that is used again after its answer, and a cancellation of what is over or never was, are as any other', async () => {
  const { url, heard } = startEndpoint(({ body }) =>
    body.includes('cancelled') ? new Response(null, { status: 202 }) : json(result(1)),
  )
  const { send, lines } = await startAgent({ endpoint: url })
  for (const count of [1, 2, 3]) {
    await send(call(1))
    await waitUntil('the answer', () => lines.length === count)
    await send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}')
    await send('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"nobody"}}')
  }
  await waitUntil('all is sent', () => heard.length === 9)
  expect(lines).toEqual([result(1), result(1), result(1)])
})

test('sends notifications and responses up, and passes nothing down for them', async () => {
  const { url, heard } = startEndpoint(({ body }) =>
    body.includes('"search"')
      ? json(result(1))
      : json('{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"no"}}', { status: 400 }),
  )
  const { send, answerTo, lines } = await startAgent({ endpoint: url })
  const sent = [
    '{"jsonrpc":"2.0","method":"notifications/initialized"}',
    '{"jsonrpc":"2.0","id":5,"result":{"roots":[]}}',
    '{"jsonrpc":"2.0","id":6,"error":{"code":-1,"message":"no"}}',
  ]
  for (const line of sent) await send(line)
  await waitUntil('all are there', () => heard.length === 3)
  await send(call(1, 'search'))
  await answerTo(1)
  expect(
    heard
      .map(({ body }) => body)
      .slice(0, 3)
      .sort(),
  ).toEqual(sent.sort())
  expect(lines).toEqual([result(1)])
})
