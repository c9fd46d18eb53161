import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { LOG_EVENTS } from '../../src/log/events.ts'
import { readMetricLabels } from '../metric-labels.ts'

const page = await Bun.file(join(import.meta.dir, '../../docs/monitoring.md')).text()

/** The cells of each row of the table with this head. */
function rowsUnder(head: string): string[][] {
  const [, table = ''] = page.split(`${head}\n`)
  const lines = table.split('\n')
  return lines
    .slice(
      1,
      lines.findIndex((line) => !line.startsWith('|')),
    )
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
}

test('every event that the page explains is one of the log, with its meaning and what to do', () => {
  const rows = rowsUnder('| event | means | what to do |')
  expect(rows.length).toBeGreaterThan(10)
  for (const [event = '', ...texts] of rows) {
    expect(Object.keys(LOG_EVENTS)).toContain(event.replaceAll('`', ''))
    expect(texts).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)])
  }
})

/** Warnings that need no action, and failures that the page explains together. */
const UNEXPLAINED = [
  'an answer was broken off',
  'backup failed',
  'check failed',
  'client metadata documents are no longer offered',
  'client metadata not read',
  'lines held back',
  'not ready',
  'purge failed',
  'questions were not kept',
  'receipts not saved',
  'reindex failed',
  'suggestions failed',
  'the owner of a refused credential was not found',
  'the role of the database owns the tables',
  'the store was not put in order',
  'tool list not saved',
  'upkeep failed',
  'uses were not written',
]

test('an event that is no mere information is explained by the page, or known to need no explanation', () => {
  const explained = new Set(
    rowsUnder('| event | means | what to do |').map(([event = '']) => event.replaceAll('`', '')),
  )
  const others = Object.entries(LOG_EVENTS).filter(([event, level]) => level !== 'info' && !explained.has(event))
  expect(others.map(([event]) => event).sort()).toEqual(UNEXPLAINED)
})

test('the page has the form of a line of a request', () => {
  const [, line = ''] = /```json\n(.*)\n```/.exec(page) ?? []
  expect(Object.keys(JSON.parse(line)).slice(0, 4)).toEqual(['at', 'level', 'event', 'request_id'])
})

test('every metric that the page names is one of the service, with the labels that it has', async () => {
  const known = await readMetricLabels()
  const named = [...page.matchAll(/((?:memsvc|process)_[a-z_]+?)(?:_bucket)?(?:\{(\w+)|\b(?=[`[ \])]))/g)]
  expect(named.length).toBeGreaterThan(10)
  for (const [, name = '', label] of named)
    expect({ name, labels: known.get(name) }).toEqual({
      name,
      labels: label === undefined ? expect.any(Array) : expect.arrayContaining([label]),
    })
})
