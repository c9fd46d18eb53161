import { describe, expect, test } from 'bun:test'
import type { DailyUse } from '../../../src/store/daily-use.ts'
import { key, type Suite } from './context.ts'

const DAY = 20_000
const use = (change: Partial<DailyUse> = {}): DailyUse => ({
  projectId: 'p1',
  day: DAY,
  tool: 'search',
  keyId: 'k1',
  outcome: 'ok',
  durationMs: 10,
  calls: 1,
  ...change,
})
const DAYS = { projectIds: ['p1'], fromDay: DAY, untilDay: DAY + 1 }

/** How often tools were called, by day. */
export function describeDailyUse(suite: Suite): void {
  describe('calls by day', () => {
    const add = (...uses: DailyUse[]) => suite.store.control.write((tx) => tx.addDailyUse(uses))

    test('calls that agree in everything are counted together, and are summed by whatever is asked', async () => {
      const { control } = suite.store
      await add(
        use(),
        use({ calls: 2 }),
        use({ day: DAY + 1, calls: 4 }),
        use({ outcome: 'failed', durationMs: 50, calls: 5 }),
      )
      await add(
        use(),
        use({ projectId: 'p2', calls: 16 }),
        use({ day: DAY - 1, calls: 32 }),
        use({ day: DAY + 2, calls: 64 }),
      )
      const byDay = await control.countUse(DAYS, ['day'])
      expect(byDay.toSorted((a, b) => a.day - b.day)).toEqual([
        { day: DAY, calls: 9 },
        { day: DAY + 1, calls: 4 },
      ])
      const byOutcome = await control.countUse({ ...DAYS, projectIds: ['p1', 'p2'] }, [
        'projectId',
        'outcome',
        'durationMs',
      ])
      expect(byOutcome.toSorted((a, b) => a.calls - b.calls)).toEqual([
        { projectId: 'p1', outcome: 'failed', durationMs: 50, calls: 5 },
        { projectId: 'p1', outcome: 'ok', durationMs: 10, calls: 8 },
        { projectId: 'p2', outcome: 'ok', durationMs: 10, calls: 16 },
      ])
      expect(await control.countUse({ ...DAYS, projectIds: [] }, ['tool'])).toEqual([])
    })

    test('calls are narrowed to an integration and to the keys of a member', async () => {
      const { control } = suite.store
      await control.write((tx) => tx.insert('keys', { ...key, id: 'k2', digest: 'd2', memberId: null }))
      await add(
        use({ tool: 'git' }),
        use({ tool: 'git.read', calls: 2 }),
        use({ tool: 'git-hub.read', calls: 4 }),
        use({ tool: 'gita.read' }),
      )
      await add(use({ keyId: 'k2', calls: 8 }))
      const byTool = await control.countUse({ ...DAYS, integration: 'git' }, ['tool'])
      expect(byTool.toSorted((a, b) => a.calls - b.calls)).toEqual([
        { tool: 'git', calls: 1 },
        { tool: 'git.read', calls: 2 },
      ])
      expect(await control.countUse({ ...DAYS, memberId: 'm1' }, ['keyId'])).toEqual([{ keyId: 'k1', calls: 8 }])
      expect(await control.countUse({ ...DAYS, memberId: 'm2' }, ['keyId'])).toEqual([])
    })

    test('counts of old days are erased, the oldest first, and the control version stays', async () => {
      const { control } = suite.store
      const before = await control.version()
      await add(use({ day: 3 }), use({ day: 1 }), use({ day: 2, tool: 'remember' }), use({ day: 2 }))
      const purge = (limit: number) => control.write((tx) => tx.delete('dailyUse', { day: { before: 3 } }, limit))
      const days = async () =>
        (await control.countUse({ projectIds: ['p1'], fromDay: 0, untilDay: 9 }, ['day'])).map(({ day }) => day)
      expect([await purge(0), await purge(1)]).toEqual([0, 1])
      expect((await days()).toSorted()).toEqual([2, 3])
      expect(await purge(9)).toBe(2)
      expect(await days()).toEqual([3])
      expect(await control.version()).toBe(before)
    })
  })
}
