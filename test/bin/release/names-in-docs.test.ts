import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { TARGETS, toArchiveName } from '../../../bin/release/targets.ts'
import { version } from '../../../package.json'

const ROOT = join(import.meta.dir, '../../..')

test.each(['README.md', 'docs/operations.md'])('%s names archives as a release does', async (page) => {
  const named = (await Bun.file(join(ROOT, page)).text()).match(/memsvc-\d[\w.-]*\.(?:tar\.gz|zip)/g) ?? []
  const made = TARGETS.map((target) => toArchiveName(version, target))
  expect(named.length).toBeGreaterThan(0)
  expect(named.filter((name) => !made.includes(name))).toEqual([])
})
