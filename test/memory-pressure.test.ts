import { expect, test } from 'bun:test'
import { createPressureCheck } from '../src/memory-pressure.ts'

/** Says after which of the readings, in MiB, garbage is collected. */
function collectedAt(readings: number[]): number[] {
  const collected: number[] = []
  let now = 0
  const check = createPressureCheck({ readRss: () => now * 2 ** 20, collect: () => collected.push(now) })
  for (now of readings) check()
  return collected
}

test('garbage of a small process is left to the engine', () => {
  expect(collectedAt([100, 150, 200, 120, 207])).toEqual([])
})

test('garbage is collected when the process has become large, and again whenever it has grown since', () => {
  expect(collectedAt([100, 210, 220, 230, 300, 180, 209, 215])).toEqual([210, 230, 300, 209])
})

test('a process that is large and stays so is not collected without end', () => {
  expect(collectedAt([500, 500, 510, 505, 515, 500])).toEqual([500])
})
