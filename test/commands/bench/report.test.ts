import { expect, test } from 'bun:test'
import { percentile } from '../../../src/commands/bench/calls.ts'
import { compare } from '../../../src/commands/bench/kills.ts'
import { type Report, toFigureText, toJson, toMarkdown, toPicture } from '../../../src/commands/bench/report.ts'
import { makeUpTexts } from '../../../src/commands/bench/texts.ts'
import { inspect } from '../../../src/guard/inspect.ts'

const REPORT: Report = {
  version: '1.2.3',
  at: Date.UTC(2026, 0, 15),
  machine: { system: 'Linux 6', processor: 'A <b>|"&', cores: 2, memoryGib: 7.6 },
  isInMemory: true,
  seconds: 80,
  figures: [
    { group: 'Saves', name: '1 client', value: 1234.5, unit: '/s' },
    { group: 'Saves', name: '16 clients', value: 2469, unit: '/s' },
    { group: 'Memory', name: 'empty', value: null, unit: 'MiB' },
  ],
}

test('a figure has its unit, and as many digits as mean something', () => {
  const texts = [0.123, 9.996, 12.34, 123.4].map((value) => toFigureText({ group: '', name: '', value, unit: 'ms' }))
  expect(texts).toEqual(['0.12 ms', '10.00 ms', '12.3 ms', '123 ms'])
  expect(toFigureText({ group: '', name: '', value: 1234567, unit: '/s' })).toBe('1 234 567/s')
  expect(toFigureText({ group: '', name: '', value: 7, unit: 'saves' })).toBe('7 saves')
  expect(toFigureText({ group: '', name: '', value: null, unit: 'MiB' })).toBe('-')
})

test('Markdown names a group once, and cannot be broken by the name of a processor', () => {
  expect(toMarkdown(REPORT)).toBe(`memsvc 1.2.3, 2 cores of A \\<b\\>\\|"&, 8 GiB, Linux 6, 2026-01-15:

| measured | | figure |
|---|---|---:|
| Saves | 1 client | 1 235/s |
|  | 16 clients | 2 469/s |
| Memory | empty | - |

The folder was in memory (tmpfs): no save waited for a disk. --folder takes another one.`)
})

test('JSON has the figures as numbers', () => {
  expect(toJson(REPORT)).toEqual({
    version: '1.2.3',
    at: '2026-01-15T00:00:00.000Z',
    machine: { system: 'Linux 6', processor: 'A <b>|"&', cores: 2, memory_gib: 7.6 },
    in_memory: true,
    seconds: 80,
    figures: REPORT.figures,
  })
})

test('the picture has a bar for each figure that is known, to the scale of its group, and escapes texts', () => {
  const picture = toPicture(REPORT)
  const widths = [...picture.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width))
  expect(widths).toHaveLength(3)
  expect(widths[0]).toBeCloseTo((widths[1] ?? 0) / 2, 0)
  expect(widths[2]).toBe(0)
  expect(picture).toContain('A &lt;b&gt;|&quot;&amp;')
  expect(picture).toContain('prefers-color-scheme: dark')
})

test('a percentile is the smallest value that so many do not exceed', () => {
  const values = Array.from({ length: 100 }, (_, at) => 100 - at)
  expect([percentile(values, 0.5), percentile(values, 0.99), percentile(values, 1), percentile([], 0.5)]).toEqual([
    50, 99, 100, 0,
  ])
})

test('what is lost, and what is there twice, is counted', () => {
  expect(compare(new Set(['a', 'b', 'c']), ['a', 'a', 'c', 'not acknowledged'])).toEqual({
    acknowledged: 3,
    kept: 2,
    doubled: 1,
  })
})

test('made-up notes are the same in every run, differ from each other, and hardly any is refused', () => {
  const [one, other] = [makeUpTexts(), makeUpTexts()]
  const notes = Array.from({ length: 200 }, one.note)
  expect(notes).toEqual(Array.from({ length: 200 }, other.note))
  expect(new Set(notes).size).toBe(200)
  expect(notes.filter((note) => inspect(note).verdict === 'refused').length).toBeLessThan(3)
})
