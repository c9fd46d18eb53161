import { rm } from 'node:fs/promises'
import { DAY_MS, HOUR_MS } from '../clock.ts'
import type { Keep } from '../config/values.ts'
import { type ListedBackup, listBackups } from './backup-names.ts'

type Unit = Keep[number]['unit']

/** 1970-01-05, the first Monday, in milliseconds. */
const FIRST_MONDAY_MS = 4 * DAY_MS

/** The hour, day, week (from Monday) or month of a time, in UTC. */
const PERIODS: Record<Unit, (time: number) => string | number> = {
  h: (time) => Math.floor(time / HOUR_MS),
  d: (time) => Math.floor(time / DAY_MS),
  w: (time) => Math.floor((time - FIRST_MONDAY_MS) / (7 * DAY_MS)),
  m: (time) => new Date(time).toISOString().slice(0, 7),
}

/** The backups that no retention rule keeps, of backups given oldest first. The newest is always kept. */
export function findSurplus<Kept extends Pick<ListedBackup, 'madeAt'>>(backups: Kept[], keep: Keep): Kept[] {
  const kept = new Set(backups.slice(-1))
  for (const { unit, count } of keep) {
    // The Map keeps the last value of each key, which is the newest backup of the period.
    const newest = new Map(backups.map((backup) => [PERIODS[unit](backup.madeAt), backup]))
    for (const backup of [...newest.values()].slice(-count)) kept.add(backup)
  }
  return backups.filter((backup) => !kept.has(backup))
}

/**
 * Deletes the surplus backups of a folder, and returns their names. To be called only after a complete backup, which
 * was made at `madeAt` and is kept; files with a later time in their name are neither counted nor deleted.
 */
export async function deleteSurplus(folder: string, keep: Keep, madeAt: number): Promise<string[]> {
  const surplus = findSurplus(listBackups(folder, madeAt), keep)
  for (const { path } of surplus) await rm(path, { force: true })
  return surplus.map(({ name }) => name)
}
