import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { Glob } from 'bun'
import { parse } from 'yaml'

const ROOT = join(import.meta.dir, '..')

type Workflow = { jobs: { check: { steps: { run?: string }[] } } }

test('every file with tests that take root is run as root where changes are checked', async () => {
  const { jobs } = parse(await Bun.file(join(ROOT, '.github/workflows/check.yml')).text()) as Workflow
  const [asRoot = ''] = jobs.check.steps.flatMap(({ run }) => (run?.startsWith('sudo env ') ? [run] : []))
  const named = asRoot.split(/\s+/).filter((word) => word.endsWith('.test.ts'))
  const files = await Array.fromAsync(new Glob('test/**/*.test.ts').scan(ROOT))
  const texts = await Promise.all(files.map(async (file) => ({ file, text: await Bun.file(join(ROOT, file)).text() })))
  const found = texts
    .filter(({ text }) => /skipIf\(!(isRoot|isPossible)\)|embeddedTest\(.*, isRoot\)/.test(text))
    .map(({ file }) => file)
  expect(named.sort()).toEqual(found.sort())
})
