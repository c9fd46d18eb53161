import { expect, test } from 'bun:test'
import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
const text = await Bun.file(join(ROOT, 'docs/architecture.md')).text()
const files = [...new Bun.Glob('{src,test,bench,drizzle}/**/*').scanSync(ROOT)]

/** Names of files between backquotes: paths below the project or `src/`, or the last part of one. */
const named = new Set([...text.matchAll(/`([\w./-]+\.(?:ts|md|json))`/g)].map(([, name]) => name ?? ''))

test('docs/architecture.md names only files that are there', () => {
  const missing = [...named].filter((name) => !files.some((file) => file === name || file.endsWith(`/${name}`)))
  expect(missing).toEqual([])
  expect(named.size).toBeGreaterThan(40)
})

test('a walk passes at most 25 files', () => {
  const walks = text.split('\n## ').filter((part) => /^.*, walked\n/.test(part))
  expect(walks.map((walk) => walk.split('\n')[0])).toEqual([
    '`search`, walked',
    '`remember`, walked',
    'A forwarded call, walked',
    'An upload, walked',
    'A form of the console, walked',
  ])
  for (const walk of walks)
    expect(new Set([...walk.matchAll(/`([\w./-]+\.ts)`/g)].map(([, name]) => name)).size).toBeLessThanOrEqual(25)
})
