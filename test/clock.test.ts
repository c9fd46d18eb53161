import { expect, test } from 'bun:test'
import { createClockWatch, DAY_MS, HOUR_MS } from '../src/clock.ts'

function startWatch() {
  const time = { now: Date.UTC(2026, 0, 15), ticks: 0 }
  const jumps: number[] = []
  const isSteady = createClockWatch({ now: () => time.now, ticks: () => time.ticks }, (days) => void jumps.push(days))
  const pass = (milliseconds: number) => {
    time.now += milliseconds
    time.ticks += milliseconds
  }
  return { time, jumps, isSteady, pass }
}

test('a clock that jumps ahead by more than a day is not trusted for a day', () => {
  const { time, jumps, isSteady, pass } = startWatch()
  pass(HOUR_MS)
  expect(isSteady()).toBe(true)
  time.now += 40 * DAY_MS
  expect([isSteady(), jumps]).toEqual([false, [40]])
  pass(23 * HOUR_MS)
  expect(isSteady()).toBe(false)
  pass(HOUR_MS)
  expect([isSteady(), jumps]).toEqual([true, [40]])
})

test('time that passes, small corrections and a clock that is put back are no jump ahead', () => {
  const { time, jumps, isSteady, pass } = startWatch()
  pass(10 * DAY_MS)
  time.now += 2 * HOUR_MS
  expect(isSteady()).toBe(true)
  time.now -= 300 * DAY_MS
  expect([isSteady(), jumps]).toEqual([true, []])
})

test('at the first question the clock is compared with a time that is known to have been', () => {
  const now = Date.UTC(2026, 0, 15)
  const daysAfter = (before: number) => {
    const jumps: number[] = []
    const isSteady = createClockWatch({ now: () => now, ticks: () => 0 }, (days) => void jumps.push(days), { before })
    return [isSteady(), ...jumps]
  }
  expect([now - 40 * DAY_MS, now - HOUR_MS, now + 40 * DAY_MS].map(daysAfter)).toEqual([[false, 40], [true], [true]])
})

test('the day after a jump that an earlier process saw goes on, but not where the clock was put right since', () => {
  let [now, ticks] = [Date.UTC(2026, 0, 15), 0]
  const watch = (jumpedAt: number) => createClockWatch({ now: () => now, ticks: () => ticks }, () => {}, { jumpedAt })
  const isSteady = watch(now - 20 * HOUR_MS)
  expect([now - DAY_MS, now - 40 * DAY_MS, now + 40 * DAY_MS].map((at) => watch(at)())).toEqual([true, true, true])
  expect(isSteady()).toBe(false)
  now += 4 * HOUR_MS
  ticks += 4 * HOUR_MS
  expect(isSteady()).toBe(true)
})
