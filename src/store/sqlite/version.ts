import type { Connection } from './connection.ts'

/** A number for the state of a file, by which caches notice commits. */
type FileVersion = {
  /**
   * Changes with every commit: immediately for commits of this process, from the next turn of the event loop on for
   * those of others. Numbers are unique among all files of a store.
   */
  read: () => number
  /** To be called after each commit by this process. */
  expire: () => void
}

/**
 * Returns unique version numbers for all files of a store: a reopened file counts its commits from the beginning, but
 * its versions must not repeat.
 */
export function createVersionNumbers(): () => number {
  let given = 0
  return () => ++given
}

/** Reads `data_version` at most once per turn of the event loop, in which hundreds of calls may ask. */
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
