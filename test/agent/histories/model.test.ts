import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createHistories } from '../../builders/histories/histories.ts'
import { createRandom } from '../../builders/histories/random.ts'
import { MARK } from '../../builders/histories/writer.ts'
import { createCollector } from './collector.ts'

const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8]
const CHANGES = 120

test.each(SEEDS)(
  'of histories that live as real ones do every record arrives once, and in order (seed %i)',
  async (seed) => {
    const home = await mkdtemp(join(tmpdir(), 'memsvc-home-'))
    const histories = await createHistories({ seed, home, folders: ['/work/harbour', '/work/other project'] })
    try {
      const foreign = await histories.plantForeign()
      const random = createRandom(seed + 1_000)
      const collector = createCollector({ environment: {}, home }, random)
      for (let at = 0; at < CHANGES; at++) {
        await histories.act()
        if (random.chance(0.2)) await collector.pass(histories.later(), { isDying: true })
      }
      await histories.settle()
      await collector.pass(histories.later(), { isDying: false })
      for (const expected of histories.expected()) {
        const collected = collector.collected.get(`${expected.assistant} ${expected.sourceKey}`)
        const marks = (collected?.lines ?? []).flatMap((line) => MARK.exec(line)?.[0] ?? [])
        if (expected.isOrdered) expect(marks).toEqual(expected.marks)
        else expect(marks).toEqual(expect.arrayContaining(expected.marks))
        expect(new Set(marks).size).toBe(marks.length)
        expect(collected?.source.cwd).toBe(expected.cwd)
        expect(collected?.generation).toBeLessThanOrEqual(1 + expected.rewrites)
      }
      const all = [...collector.collected.values()].flatMap(({ lines }) => lines).join('\n')
      expect(foreign.filter((mark) => all.includes(mark))).toEqual([])
      expect(foreign).toHaveLength(1)
    } finally {
      histories.close()
      await rm(home, { recursive: true, force: true })
    }
  },
)

test('the same seed makes the same histories', async () => {
  const make = async () => {
    const home = await mkdtemp(join(tmpdir(), 'memsvc-home-'))
    const histories = await createHistories({ seed: 5, home, folders: ['/work/harbour'] })
    try {
      const acts = await Array.fromAsync({ length: 60 }, () => histories.act())
      return { acts, expected: histories.expected() }
    } finally {
      histories.close()
      await rm(home, { recursive: true, force: true })
    }
  }
  expect(await make()).toEqual(await make())
})
