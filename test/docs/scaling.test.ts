import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { toTables } from '../../bench/scale-model.ts'

test('the tables of many teams are those that the model calculates', async () => {
  const page = await Bun.file(join(import.meta.dir, '../../docs/scaling.md')).text()
  expect(toTables().filter((table) => !page.includes(table))).toEqual([])
})
