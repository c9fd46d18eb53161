import { expect, test } from 'bun:test'
import { PassThrough } from 'node:stream'
import type { ReadStream } from 'node:tty'
import { askHidden } from '../../../src/commands/terminal/ask.ts'

/** Asks as often as there are answers, of an input that arrives in these pieces. */
async function answers(count: number, ...pieces: string[]) {
  const stream = new PassThrough()
  for (const piece of pieces) stream.write(piece)
  stream.end()
  const input = { stream: stream as unknown as ReadStream, rest: '' }
  const given: string[] = []
  for (let at = 0; at < count; at++) given.push(await askHidden('?', input, () => {}))
  return given
}

test('each question gets a line of its own, also of an input that is there at once', async () => {
  expect(await answers(3, 'one\ntwo\nthree')).toEqual(['one', 'two', 'three'])
  expect(await answers(2, 'one\r\ntwo\r\n')).toEqual(['one', 'two'])
  expect(await answers(2, 'o', 'ne\nt', 'wo\n')).toEqual(['one', 'two'])
})

test('the key for deleting takes back a whole character', async () => {
  expect(await answers(1, 'pass😀\u007fword\n')).toEqual(['password'])
})
