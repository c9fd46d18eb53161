import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { toTables } from '../../bench/scale-model.ts'

test('the table of many teams is one that the model calculates', async () => {
  const page = await Bun.file(join(import.meta.dir, '../../docs/scaling.md')).text()
  const section = page.slice(page.indexOf('## Many teams'))
  const tables = [...section.matchAll(/(?:^\|.*\n)+/gm)].map(([table]) => table.trim())
  expect(tables).toHaveLength(1)
  expect(toTables()).toContain(tables[0] ?? '')
})
