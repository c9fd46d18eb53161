import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { addServiceGauges } from '../../src/http/metrics.ts'
import { LOG_EVENTS } from '../../src/log/events.ts'
import { createExposition } from '../../src/metrics/exposition.ts'
import { startService } from '../start-service.ts'

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

test('the page has every event of the log that asks for something of its own, with its meaning and what to do', () => {
  const [, forAll = ''] = /Any other line of the level `error` .*: do (.*)\. All others/.exec(page) ?? []
  const asking = Object.entries(LOG_EVENTS).filter(([, { todo }]) => todo !== 'nothing' && todo !== forAll)
  for (const { level, todo } of Object.values(LOG_EVENTS)) {
    if (todo === forAll) expect(level).toBe('error')
    if (todo === 'nothing') expect(level).not.toBe('error')
  }
  const inCode = asking.map(([event, { meaning, todo }]) => [`\`${event}\``, meaning, todo])
  expect(rowsUnder('| event | means | what to do |')).toEqual(inCode)
})

test('the page has the form of a line of a request', () => {
  const [, line = ''] = /```json\n(.*)\n```/.exec(page) ?? []
  expect(Object.keys(JSON.parse(line)).slice(0, 4)).toEqual(['at', 'level', 'event', 'request_id'])
})

test('every metric that the page names is one of the service, with the labels that it has', async () => {
  const { service } = await startService()
  const exposition = createExposition()
  addServiceGauges(service, exposition)
  const known = new Map(exposition.describe().map(({ name, labels }) => [name, labels]))
  exposition.close()
  const named = [...page.matchAll(/((?:memsvc|process)_[a-z_]+?)(?:_bucket)?(?:\{(\w+)|\b(?=[`[ \])]))/g)]
  expect(named.length).toBeGreaterThan(10)
  for (const [, name = '', label] of named)
    expect({ name, labels: known.get(name) }).toEqual({
      name,
      labels: label === undefined ? expect.any(Array) : expect.arrayContaining([label]),
    })
})
