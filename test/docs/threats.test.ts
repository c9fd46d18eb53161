import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')

test('every test that the list of threats names is there, and every test of an attack is named', async () => {
  const text = await Bun.file(join(ROOT, 'docs/threats.md')).text()
  const cells = [...text.matchAll(/^\| .* \| (`.*`) \|$/gm)].map(([, cell = '']) => cell)
  const named = new Set(
    cells
      .flatMap((cell) => cell.slice(1, -1).split('`, `'))
      .map((name) => (name.includes('/') ? name : `attacks/${name}`)),
  )
  expect(named.size).toBeGreaterThan(20)
  expect([...named].filter((path) => !existsSync(join(ROOT, `test/${path}.test.ts`)))).toEqual([])
  const attacks = [...new Bun.Glob('attacks/*.test.ts').scanSync(join(ROOT, 'test'))]
  expect(attacks.filter((path) => !named.has(path.replace('.test.ts', '')))).toEqual([])
})
