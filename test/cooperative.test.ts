import { expect, test } from 'bun:test'
import { yieldIfDue } from '../src/cooperative.ts'
import { countTurns } from './count-turns.ts'

/** Holds the event loop for so many milliseconds. */
function hold(milliseconds: number): void {
  const end = performance.now() + milliseconds
  while (performance.now() < end);
}

const CALLERS = 20
/** Far more than are done until a request is answered, however busy the machine is. */
const MAX_PIECES = 20_000

test('long work of many callers lets a light request in after one slice of it', async () => {
  using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response('pong') })
  let [pieces, isAnswered] = [0, false]
  const work = async () => {
    while (!isAnswered && pieces < MAX_PIECES) {
      await yieldIfDue()
      // Longer than a slice.
      hold(3)
      pieces += 1
    }
  }
  const stopCounting = countTurns()
  const working = Promise.all(Array.from({ length: CALLERS }, work))
  const answer = await fetch(server.url)
  expect(await answer.text()).toBe('pong')
  isAnswered = true
  await working
  expect(pieces).toBeLessThan(MAX_PIECES)
  // All callers begin at once; from then on each piece has a turn of its own.
  expect(stopCounting()).toBeGreaterThanOrEqual(pieces - CALLERS)
})

test('work is resumed in the order in which it gave way', async () => {
  const order: number[] = []
  hold(1)
  await Promise.all(
    [1, 2, 3].map(async (name) => {
      for (let piece = 0; piece < 2; piece++) {
        await yieldIfDue()
        hold(10)
        order.push(name)
      }
    }),
  )
  expect(order).toEqual([1, 2, 3, 1, 2, 3])
})

test('short pieces of many share a turn of the event loop', async () => {
  const stopCounting = countTurns()
  // A slice has ended, so that everybody waits from here on.
  await yieldIfDue()
  hold(10)
  const pieces = async () => {
    for (let piece = 0; piece < 50; piece++) await yieldIfDue()
  }
  await Promise.all(Array.from({ length: 40 }, pieces))
  // One piece of one work in each turn would take 2 000.
  expect(stopCounting()).toBeLessThan(200)
})

test('a piece is done, whatever it awaits that is there already, before the next begins', async () => {
  const order: string[] = []
  await yieldIfDue()
  hold(10)
  await Promise.all(
    ['a', 'b', 'c'].map(async (name) => {
      await yieldIfDue()
      order.push(`${name} begins`)
      for (let time = 0; time < 5; time++) await Promise.resolve()
      order.push(`${name} ends`)
    }),
  )
  expect(order).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} begins`, `${name} ends`]))
})

test('short work is not held up', async () => {
  // Whatever ran before has had its slice.
  while (yieldIfDue() !== undefined) await new Promise((resume) => setImmediate(resume))
  expect(yieldIfDue()).toBeUndefined()
})
