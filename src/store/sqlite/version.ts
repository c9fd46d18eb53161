import type { Database } from 'bun:sqlite'

/** Tells whether anybody has committed to a file. */
export type Version = {
  /** A new number after every commit: of this process at once, of another by the next turn of the event loop. Never one given before, by any file. */
  read: () => number
  /** What this process calls after its own commit. */
  forget: () => void
}

/** Turns of the event loop that anybody looked in, and whether the present one will end by itself. */
let turn = 0
let isCounted = false

function endTurn(): void {
  turn += 1
  isCounted = false
}

/** Opened again, a file counts its commits anew: so the numbers handed out are the process's own. */
let given = 0

/** Reads the file's counter of commits at most once a turn: hundreds of calls may share one. */
export function createVersion(reader: Database): Version {
  const statement = reader.prepare<{ data_version: number }, []>('pragma data_version')
  let counter: number | undefined
  let version = 0
  let lookedIn: number | undefined

  function look(): void {
    const current = statement.get()?.data_version
    if (current !== counter) version = ++given
    counter = current
    lookedIn = turn
    if (isCounted) return
    isCounted = true
    setImmediate(endTurn)
  }

  return {
    read: () => {
      if (lookedIn !== turn) look()
      return version
    },
    forget: () => {
      lookedIn = undefined
    },
  }
}
