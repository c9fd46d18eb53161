import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { addServiceGauges } from '../../src/http/service-gauges.ts'
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

test('the page has every event of the log that asks for something, with its meaning and what to do', () => {
  const asking = Object.entries(LOG_EVENTS).filter(([, { todo }]) => todo !== 'nothing')
  const inCode = asking.map(([event, { meaning, todo }]) => [`\`${event}\``, meaning, todo])
  expect(rowsUnder('| event | means | what to do |')).toEqual(inCode)
})

test('the page has the form of a line of a request', () => {
  const [, line = ''] = /```json\n(.*)\n```/.exec(page) ?? []
  expect(Object.keys(JSON.parse(line)).slice(0, 4)).toEqual(['at', 'level', 'event', 'request_id'])
})

test('the page has every metric, with its labels', async () => {
  const { service } = await startService()
  const exposition = createExposition()
  addServiceGauges(service, exposition)
  const inCode = exposition
    .describe()
    .map(({ name, labels }) =>
      labels.length === 0 ? `\`${name}\`` : `\`${name}\` (by ${labels.map((label) => `\`${label}\``).join(', ')})`,
    )
  exposition.close()
  const listed = rowsUnder('| about | metrics |').flatMap(([, metrics = '']) =>
    metrics.split(/, (?=`(?:memsvc|process)_)/),
  )
  expect(listed.sort()).toEqual(inCode.sort())
})
