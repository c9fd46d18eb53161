import { expect, test } from 'bun:test'
import { cacheRead } from '../../src/cache/cached-read.ts'

test('what was found before a change is not kept after it, though the look-up ended later', async () => {
  let version = 1
  let value = 'old'
  const find = cacheRead(
    async (_key: string) => value,
    () => version,
  )
  const overtaken = find('key')
  version = 2
  value = 'new'
  const other = find('other')
  expect([await overtaken, await other]).toEqual(['old', 'new'])
  expect(await find('key')).toBe('new')
})
