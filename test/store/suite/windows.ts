import { describe, expect, test } from 'bun:test'
import { type Place, WINDOW_MS } from '../../../src/store/windows.ts'
import type { Suite } from './context.ts'

/** How many requests for the same places are admitted of so many that come at once. */
async function admit({ store, time }: Suite, places: Place[], count = 1): Promise<number> {
  const taken = await Promise.all(Array.from({ length: count }, () => store.windows.take(places, time.now)))
  return taken.filter((full) => full === undefined).length
}

/** The windows of 60 seconds by which calls and attempts are limited. */
export function describeWindows(suite: Suite): void {
  describe('windows', () => {
    test('hold as many places as they may, each for exactly 60 seconds', async () => {
      const places = [{ id: 'k', limit: 2 }]
      expect(await admit(suite, places)).toBe(1)
      suite.time.now += 1_000
      expect(await admit(suite, places, 3)).toBe(1)
      suite.time.now += WINDOW_MS - 1_001
      expect(await suite.store.windows.take(places, suite.time.now)).toEqual({ id: 'k', untilFreeMs: 1 })
      expect([
        await suite.store.windows.count('k', suite.time.now),
        await suite.store.windows.count('other', suite.time.now),
      ]).toEqual([2, 0])
      suite.time.now += 1
      expect(await suite.store.windows.count('k', suite.time.now)).toBe(1)
      expect(await admit(suite, places, 3)).toBe(1)
      suite.time.now += 1_000
      expect(await admit(suite, places, 3)).toBe(1)
    })

    test('are taken together or not at all, and the first that is full is named', async () => {
      const key = { id: 'k', limit: 5 }
      const project = { id: 'p', limit: 3 }
      expect(await admit(suite, [key, project], 10)).toBe(3)
      expect(await suite.store.windows.take([key, project], suite.time.now)).toEqual({
        id: 'p',
        untilFreeMs: WINDOW_MS,
      })
      expect(await admit(suite, [key], 10)).toBe(2)
      expect(await suite.store.windows.take([key, project], suite.time.now)).toEqual({
        id: 'k',
        untilFreeMs: WINDOW_MS,
      })
    })

    test('admit exactly so many of requests for several windows that come at once', async () => {
      const project = { id: 'p', limit: 25 }
      const asked = Array.from({ length: 90 }, (_, i) => [{ id: `k${i % 3}`, limit: 10 }, project])
      const taken = await Promise.all(asked.map((places) => suite.store.windows.take(places, suite.time.now)))
      expect(taken.filter((full) => full === undefined)).toHaveLength(25)
      expect(new Set(taken.map((full) => full?.id))).toContain('p')
    })

    test('may have any text as their name', async () => {
      for (const id of ['key like svc_\0', 'half \ud83d', 'last \u{10ffff}0']) {
        expect(await admit(suite, [{ id, limit: 2 }], 3)).toBe(2)
        expect(await suite.store.windows.count(id, suite.time.now)).toBe(2)
      }
    })

    test('admit what counting every call of the last 60 seconds would admit', async () => {
      const calls: number[] = []
      let random = 7
      for (let step = 0; step < 60; step++) {
        random = (random * 48_271) % 2_147_483_647
        suite.time.now += [0, 1, random % 9_000, WINDOW_MS - 1][random % 4] ?? 0
        const { now } = suite.time
        const limit = 3 + (random % 5)
        const room = Math.max(0, limit - calls.filter((at) => at > now - WINDOW_MS).length)
        const tries = random % 7
        expect(await admit(suite, [{ id: 'k', limit }], tries)).toBe(Math.min(room, tries))
        for (let taken = 0; taken < Math.min(room, tries); taken++) calls.push(now)
      }
    })

    test('are kept while their places count, and forgotten after that', async () => {
      const places = [{ id: 'k', limit: 1 }]
      await admit(suite, places)
      await suite.store.tidy()
      expect(await admit(suite, places)).toBe(0)
      suite.time.now += WINDOW_MS
      await suite.store.tidy()
      expect(await admit(suite, places, 2)).toBe(1)
    })

    test('take a limit that no window ever reaches', async () => {
      expect(await admit(suite, [{ id: 'k', limit: Number.MAX_SAFE_INTEGER }])).toBe(1)
    })
  })
}
