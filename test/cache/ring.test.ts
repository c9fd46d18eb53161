import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createRing } from '../../src/cache/ring.ts'

test('returns a copy of what was set last for a key', () => {
  const ring = createRing<string>({ maxNumbers: 8, maxEntries: 8 })
  const given = Uint32Array.of(1, 2)
  ring.set('a', given)
  given[0] = 9
  ring.get('a')?.fill(7)
  expect(ring.get('a')).toEqual(Uint32Array.of(1, 2))
  ring.set('a', Uint32Array.of(3))
  expect(ring.get('a')).toEqual(Uint32Array.of(3))
  expect(ring.get('b')).toBeUndefined()
})

test('overwrites the oldest lists first, and keeps no list longer than itself', () => {
  const ring = createRing<string>({ maxNumbers: 4, maxEntries: 8 })
  ring.set('a', Uint32Array.of(1, 2))
  ring.set('b', Uint32Array.of(3))
  ring.set('c', Uint32Array.of(4, 5))
  expect(ring.get('a')).toBeUndefined()
  expect(ring.get('c')).toEqual(Uint32Array.of(4, 5))
  ring.set('d', Uint32Array.of(1, 2, 3, 4, 5))
  expect(ring.get('d')).toBeUndefined()
  expect(ring.get('c')).toEqual(Uint32Array.of(4, 5))
})

test('forgets the key set first beyond its number of keys', () => {
  const ring = createRing<number>({ maxNumbers: 100, maxEntries: 2 })
  for (const key of [1, 2, 3]) ring.set(key, Uint32Array.of(key))
  expect([1, 2, 3].map((key) => ring.get(key)?.[0])).toEqual([undefined, 2, 3])
})

test('returns the very list that was set or nothing, whatever is set', () => {
  const sets = fc.array(fc.record({ key: fc.integer({ max: 5, min: 0 }), length: fc.integer({ max: 9, min: 0 }) }))
  fc.assert(
    fc.property(sets, (given) => {
      const ring = createRing<number>({ maxNumbers: 8, maxEntries: 4 })
      const last = new Map<number, Uint32Array>()
      given.forEach(({ key, length }, at) => {
        const list = Uint32Array.from({ length }, (_, nth) => at * 10 + nth)
        ring.set(key, list)
        last.set(key, list)
        expect(ring.get(key)).toEqual(length > 8 ? undefined : list)
        for (const [other, set] of last) expect([undefined, set]).toContainEqual(ring.get(other))
      })
    }),
  )
})
