import type { Database } from 'bun:sqlite'

/** Tells whether anybody has committed to a file. */
export type Version = {
  /** Another number after every commit: of this process at once, of another by the next turn of the event loop. */
  read: () => number
  /** What this process calls after its own commit. */
  forget: () => void
}

/** Reads the file's counter of commits at most once a turn: hundreds of calls may share one. */
export function createVersion(reader: Database): Version {
  const statement = reader.prepare<{ data_version: number }, []>('pragma data_version')
  let known: number | undefined
  const forget = () => {
    known = undefined
  }
  return {
    read: () => {
      if (known !== undefined) return known
      setImmediate(forget)
      known = statement.get()?.data_version ?? 0
      return known
    },
    forget,
  }
}
