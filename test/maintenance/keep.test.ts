import { expect, test } from 'bun:test'
import { DAY_MS, HOUR_MS } from '../../src/clock.ts'
import { optionalKeep } from '../../src/config/values.ts'
import { toBackupName } from '../../src/maintenance/backup-names.ts'
import { findSurplus } from '../../src/maintenance/keep.ts'

const NOW = Date.UTC(2026, 0, 15, 12)

/** Names of what is kept of backups made every six hours for so many days. */
function keptOf(rule: string, days: number): string[] {
  const times = Array.from({ length: days * 4 }, (_, at) => NOW - days * DAY_MS + (at + 1) * 6 * HOUR_MS)
  const backups = times.map((madeAt) => {
    const name = toBackupName({ now: madeAt, isComplete: true })
    return { name, path: name, madeAt, bytes: 1 }
  })
  const surplus = new Set(findSurplus(backups, optionalKeep(rule) ?? []).map(({ name }) => name))
  return backups.flatMap(({ name }) => (surplus.has(name) ? [] : [name.slice(7, 18)]))
}

test('7d4w keeps the newest of each of seven days, and of each of four weeks from Monday', () => {
  expect(keptOf('7d4w', 40)).toEqual([
    '20251228T18',
    '20260104T18',
    '20260109T18',
    '20260110T18',
    '20260111T18',
    '20260112T18',
    '20260113T18',
    '20260114T18',
    '20260115T12',
  ])
})

test('months and hours are counted too; the newest is always kept', () => {
  expect(keptOf('3m', 80)).toEqual(['20251130T18', '20251231T18', '20260115T12'])
  expect(keptOf('2h', 5)).toEqual(['20260115T06', '20260115T12'])
})

test('a week without a backup is not counted', () => {
  const names = ['20250601T120000Z', '20250602T120000Z', '20260115T120000Z'].map((time) => ({
    name: time,
    path: time,
    madeAt: Date.parse(time.replace(/(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/, '$1-$2-$3T$4:$5:$6Z')),
    bytes: 1,
  }))
  expect(findSurplus(names, [{ unit: 'w', count: 2 }]).map(({ name }) => name)).toEqual(['20250601T120000Z'])
})
