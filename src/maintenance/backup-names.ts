import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ENDING = '.tar.zst'
/** Backups of everything that are complete; others are never counted or deleted. */
const COMPLETE = /^memsvc-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.zst$/

export type ListedBackup = { name: string; path: string; madeAt: number; bytes: number }

/** `now` in milliseconds since 1970. */
type Named = { now: number; isComplete: boolean; projectId?: string | undefined }

/** `memsvc-20260115T120000Z.tar.zst`: in order of name is in order of time. */
export function toBackupName({ now, isComplete, projectId }: Named): string {
  const time = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  return ['memsvc', ...(projectId === undefined ? [] : [projectId]), time, ...(isComplete ? [] : ['incomplete'])].join('-') + ENDING
}

/** The complete backups of everything in a folder, oldest first, by their names. Throws what the system says of a folder that cannot be read. */
export function listBackups(folder: string): ListedBackup[] {
  const names = readdirSync(folder).filter((name) => COMPLETE.test(name))
  return names.sort().flatMap((name) => {
    const path = join(folder, name)
    const stat = statSync(path, { throwIfNoEntry: false })
    return stat?.isFile() ? [{ name, path, madeAt: toTime(name), bytes: stat.size }] : []
  })
}

const toTime = (name: string) => Date.parse(name.replace(COMPLETE, '$1-$2-$3T$4:$5:$6Z'))
