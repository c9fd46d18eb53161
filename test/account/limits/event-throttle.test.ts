import { expect, test } from 'bun:test'
import { createEventThrottle } from '../../../src/account/limits/event-throttle.ts'
import { DAY_MS, MINUTE_MS } from '../../../src/clock.ts'

test('lets pass one event of a client in ten minutes, and tells with the next how many were held back', () => {
  const throttle = createEventThrottle()
  expect(throttle.take('192.0.2.1', 0)).toEqual({ heldBack: 0 })
  expect(throttle.take('192.0.2.1', 10 * MINUTE_MS - 1)).toBeUndefined()
  expect(throttle.take('192.0.2.2', 10 * MINUTE_MS - 1)).toEqual({ heldBack: 1 })
  expect(throttle.take('192.0.2.1', 10 * MINUTE_MS)).toEqual({ heldBack: 0 })
})

test('lets pass a thousand events a day, from however many clients', () => {
  const throttle = createEventThrottle()
  const taken = Array.from({ length: 5_000 }, (_, at) => throttle.take(`2001:db8::${at}`, at)).filter(
    (event) => event !== undefined,
  )
  expect(taken).toHaveLength(1_000)
  expect(throttle.take('192.0.2.1', DAY_MS)).toEqual({ heldBack: 4_000 })
})
