import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createLru } from '../../src/cache/lru.ts'

test('returns what was set last for a key, and nothing for other keys', () => {
  const cache = createLru<string, number>({ maxEntries: 2 })
  cache.set('a', 1)
  cache.set('a', 2)
  expect([cache.get('a'), cache.get('b'), cache.count()]).toEqual([2, undefined, 1])
})

test('drops the least recently used entry for a new one', () => {
  const cache = createLru<string, number>({ maxEntries: 2 })
  cache.set('a', 1)
  cache.set('b', 2)
  cache.get('a')
  cache.set('c', 3)
  expect(['a', 'b', 'c'].map(cache.get)).toEqual([1, undefined, 3])
})

test('an entry that is only peeked at is no more recently used', () => {
  const cache = createLru<string, number>({ maxEntries: 2 })
  cache.set('a', 1)
  cache.set('b', 2)
  expect(cache.peek('a')).toBe(1)
  cache.set('c', 3)
  expect(['a', 'b', 'c'].map(cache.peek)).toEqual([undefined, 2, 3])
})

test('drops as many entries as a large one needs, and does not keep one that is larger than all together may be', () => {
  const cache = createLru<string, string>({ maxEntries: 10, maxTotalSize: 5, sizeOf: (value) => value.length })
  for (const [key, value] of Object.entries({ a: 'xx', b: 'xx', c: 'xxxxx' })) cache.set(key, value)
  expect(['a', 'b', 'c'].map(cache.get)).toEqual([undefined, undefined, 'xxxxx'])
  cache.set('d', 'xxxxxx')
  expect([cache.get('c'), cache.get('d')]).toEqual(['xxxxx', undefined])
})

test('forgets the old value of a key whose new one is too large to keep', () => {
  const cache = createLru<string, string>({ maxEntries: 10, maxTotalSize: 5, sizeOf: (value) => value.length })
  cache.set('a', 'x')
  cache.set('a', 'xxxxxx')
  expect([cache.get('a'), cache.totalSize()]).toEqual([undefined, 0])
})

test('is empty once it was cleared, and lacks what was deleted', () => {
  const cache = createLru<string, string>({ maxEntries: 10, maxTotalSize: 5, sizeOf: (value) => value.length })
  cache.set('a', 'xx')
  cache.set('b', 'x')
  cache.delete('a')
  expect([cache.get('a'), cache.get('b'), cache.totalSize()]).toEqual([undefined, 'x', 1])
  cache.clear()
  expect([cache.get('b'), cache.count(), cache.totalSize()]).toEqual([undefined, 0, 0])
})

test('never exceeds its bounds, whatever is set', () => {
  const sets = fc.array(fc.record({ key: fc.integer({ max: 5, min: 0 }), size: fc.integer({ max: 12, min: 0 }) }))
  fc.assert(
    fc.property(sets, (given) => {
      const cache = createLru<number, number>({ maxEntries: 3, maxTotalSize: 10, sizeOf: (size) => size })
      for (const { key, size } of given) {
        cache.set(key, size)
        expect(cache.count()).toBeLessThanOrEqual(3)
        expect(cache.totalSize()).toBeLessThanOrEqual(10)
        expect(cache.get(key)).toBe(size > 10 ? undefined : size)
      }
      const held = [0, 1, 2, 3, 4, 5].map(cache.get).filter((size) => size !== undefined)
      expect(held.reduce((sum, size) => sum + size, 0)).toBe(cache.totalSize())
    }),
  )
})

test('it is always the least recently used entry that is dropped, after many thousands of changes too', () => {
  const cache = createLru<number, number>({ maxEntries: 7 })
  let used: number[] = []
  for (let at = 0; at < 20_000; at++) {
    const key = (at * at) % 23
    if (at % 3 !== 0) cache.set(key, at)
    if (at % 3 !== 0 || cache.get(key) !== undefined) used = [...used.filter((one) => one !== key), key].slice(-7)
    if (at % 1_000 === 0) cache.delete(used.shift() ?? 0)
    expect(cache.count()).toBe(used.length)
  }
  expect(used.map(cache.peek)).not.toContain(undefined)
})
