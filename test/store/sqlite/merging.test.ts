import { expect, onTestFinished, test } from 'bun:test'
import { Connection } from '../../../src/store/sqlite/connection.ts'
import { createMerging } from '../../../src/store/sqlite/merging.ts'

/**
 * An index of four segments of some hundred pages each, and a clock by which each step takes as long as the test says.
 */
function openSegments() {
  const connection = new Connection(':memory:')
  onTestFinished(() => connection.close())
  connection.run(
    `create virtual table word_index using fts5(terms, content='', contentless_delete=1, detail=none, tokenize='ascii')`,
  )
  connection.run(`insert into word_index (word_index, rank) values ('automerge', 0)`)
  const insert = connection.query('insert into word_index (rowid, terms) values (?, ?)')
  const grow = connection.transaction((from: number, records = 2_000) => {
    for (let at = from; at < from + records; at++)
      insert.run(at, Array.from({ length: 40 }, (_, nth) => `w${at * 40 + nth}`).join(' '))
  })
  for (let from = 1; from <= 6_001; from += 2_000) grow(from)
  let now = 0
  let stepMs = 0
  let next = 8_001
  const ticks = () => {
    now += stepMs
    return now
  }
  const merging = createMerging(connection, ticks)
  return {
    /** Pages of so many steps, each of which takes `ms`. */
    steps: (count: number, ms: number) => {
      stepMs = ms
      return Array.from({ length: count }, () => merging.step())
    },
    merging,
    /** Adds a segment of few pages. */
    add: () => {
      next += 100
      merging.addSegment(() => grow(next, 100))
    },
  }
}

test('merging is due once eight transactions have added a segment, is over when there is nothing to merge, and may be left to later ones', () => {
  const { merging, add } = openSegments()
  const isDueAfter = () => {
    add()
    return merging.isDue()
  }
  expect(Array.from({ length: 8 }, isDueAfter)).toEqual([...Array(7).fill(false), true])
  expect(merging.isUrgent()).toBe(true)
  for (let steps = 0; merging.isDue() && steps < 10_000; steps++) merging.step()
  expect(merging.step()).toBe(0)
  expect(merging.isUrgent()).toBe(false)
  for (let nth = 0; nth < 8; nth++) add()
  expect(merging.isDue()).toBe(true)
  merging.postpone()
  expect(merging.isDue()).toBe(false)
})

test('a step that takes long is followed by smaller ones, and by larger ones once they take little', () => {
  const { steps } = openSegments()
  expect(steps(4, 20)).toEqual([4, 2, 1, 1])
  expect(steps(6, 1)).toEqual([1, 2, 4, 8, 16, 16])
  expect(steps(2, 4)).toEqual([16, 16])
})

test('where there is nothing to merge, no pages were', () => {
  const { steps } = openSegments()
  expect(steps(500, 0).at(-1)).toBe(0)
})
