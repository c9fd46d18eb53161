import type { Connection } from './connection.ts'

/** Returns whether anybody has committed to a file. */
export type FileVersion = {
  /** Another number after every commit: by this process at once, by another one from the next turn of the event loop on. No two files of a store ever have the same. */
  read: () => number
  /** To be called after each commit by this process. */
  expire: () => void
}

/** Numbers for the versions of all files of a store: a file that is opened again counts its commits from the beginning, but its versions must not come again. */
export function createVersionNumbers(): () => number {
  let given = 0
  return () => ++given
}

/** Reads `data_version` at most once in a turn of the event loop, in which hundreds of calls may ask. */
export function createFileVersion(reader: Connection, nextNumber: () => number): FileVersion {
  const statement = reader.statement<{ data_version: number }, []>('pragma data_version')
  let dataVersion: number | undefined
  let version = 0
  let isFresh = false

  function look(): void {
    const current = statement.get()?.data_version
    if (current !== dataVersion) version = nextNumber()
    dataVersion = current
    isFresh = true
    setImmediate(expire)
  }

  function expire(): void {
    isFresh = false
  }

  return {
    read: () => {
      if (!isFresh) look()
      return version
    },
    expire,
  }
}
