import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { createSlidingWindow } from '../../../src/store/sqlite/sliding-window.ts'
import { WINDOW_MS } from '../../../src/store/windows.ts'

test('admits exactly what counting every call of the last 60 seconds would admit', () => {
  const step = fc.record({
    pause: fc.oneof(fc.constant(0), fc.nat(5_000), fc.constantFrom(WINDOW_MS - 1, WINDOW_MS)),
    tries: fc.integer({ min: 1, max: 12 }),
  })
  const property = fc.property(fc.integer({ min: 1, max: 40 }), fc.array(step, { maxLength: 60 }), (most, steps) => {
    const window = createSlidingWindow()
    const calls: number[] = []
    let now = 0
    for (const { pause, tries } of steps) {
      now += pause
      for (let i = 0; i < tries; i++) {
        const recent = calls.filter((at) => at > now - WINDOW_MS)
        expect(window.count(now)).toBe(recent.length)
        if (recent.length < most) {
          window.add(now)
          calls.push(now)
        } else expect(window.untilFree(now)).toBe((recent[0] ?? 0) + WINDOW_MS - now)
      }
    }
  })
  fc.assert(property, { numRuns: 300 })
})
