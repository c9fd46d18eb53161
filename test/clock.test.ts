import { expect, test } from 'bun:test'
import { type ClockJump, createClockWatch, DAY_MS, HOUR_MS, type KnownTimes, toSpan } from '../src/clock.ts'

const START = Date.UTC(2026, 0, 15)

/** A watch on a clock that the test holds, and how far behind that clock the time is by which things may be erased. */
function startWatch(known?: KnownTimes) {
  const time = { now: START, ticks: 0 }
  const jumps: ClockJump[] = []
  const readNow = createClockWatch(
    { now: () => time.now, ticks: () => time.ticks },
    (jump) => void jumps.push(jump),
    known,
  )
  const pass = (milliseconds: number) => {
    time.now += milliseconds
    time.ticks += milliseconds
  }
  return { time, jumps, readLag: () => time.now - readNow(), pass }
}

test('for a day after the clock has jumped ahead by more than a day, the time goes on from before the jump', () => {
  const { time, jumps, readLag, pass } = startWatch()
  pass(HOUR_MS)
  expect(readLag()).toBe(0)
  time.now += 40 * DAY_MS
  expect(readLag()).toBe(40 * DAY_MS)
  expect(jumps).toEqual([{ at: START + HOUR_MS + 40 * DAY_MS, from: START + HOUR_MS }])
  pass(23 * HOUR_MS)
  expect(readLag()).toBe(40 * DAY_MS)
  pass(HOUR_MS)
  expect([readLag(), jumps.length]).toEqual([0, 1])
})

test('a second jump within the day counts from before the first', () => {
  const { time, readLag, pass } = startWatch()
  time.now += 40 * DAY_MS
  expect(readLag()).toBe(40 * DAY_MS)
  pass(HOUR_MS)
  time.now += 10 * DAY_MS
  expect(readLag()).toBe(50 * DAY_MS)
  time.now -= 60 * DAY_MS
  expect(readLag()).toBe(0)
})

test('time that passes, small corrections and a clock that is put back are no jump ahead', () => {
  const { time, jumps, readLag, pass } = startWatch()
  pass(10 * DAY_MS)
  time.now += 2 * HOUR_MS
  expect(readLag()).toBe(0)
  time.now -= 300 * DAY_MS
  expect([readLag(), jumps.length]).toEqual([0, 0])
})

test('at the first question the clock is compared with a time that is known to have been', () => {
  const lags = [40 * DAY_MS, HOUR_MS, -40 * DAY_MS].map((ago) => startWatch({ before: START - ago }).readLag())
  expect(lags).toEqual([40 * DAY_MS, 0, 0])
})

test('the day after a jump that an earlier process saw goes on, but not where the clock was put right since', () => {
  const watch = (ago: number) => startWatch({ jump: { at: START - ago, from: START - ago - 40 * DAY_MS } })
  expect([DAY_MS, 40 * DAY_MS, -40 * DAY_MS].map((ago) => watch(ago).readLag())).toEqual([0, 0, 0])
  const { readLag, pass } = watch(20 * HOUR_MS)
  expect(readLag()).toBe(40 * DAY_MS)
  pass(4 * HOUR_MS)
  expect(readLag()).toBe(0)
})

test('a span is written in the largest unit of which it is a multiple', () => {
  expect([90, 60, 24 * 60, 48 * 60, 25 * 60].map((minutes) => toSpan(minutes * 60_000))).toEqual([
    '90m',
    '1h',
    '1d',
    '2d',
    '25h',
  ])
})
