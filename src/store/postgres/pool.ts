import { SQL } from 'bun'
import { type BunSQLDatabase, drizzle } from 'drizzle-orm/bun-sql'
import { isConnectionLost } from './errors.ts'

/** A connection to the database that nobody else uses meanwhile. */
export type Connection = {
  db: BunSQLDatabase
  /** Runs one statement as it is. */
  run: (statement: string) => Promise<unknown>
}

export type Pool = {
  /**
   * Gives a connection that sees the data of this project, or of none, as soon as one is free. One that fails because the database cannot be reached is not given again.
   */
  use: <T>(projectId: string | undefined, act: (connection: Connection) => Promise<T>) => Promise<T>
  /** Notes work that is to end before the pool is closed. */
  track: (work: Promise<void>) => void
  /** Resolves when tracked work has ended and all connections are closed. */
  close: () => Promise<void>
}

type Slot = Connection & { client: SQL; shows: string | undefined }

/** Longest that one statement may take, and that it waits for another's lock, in milliseconds. */
const STATEMENT_TIMEOUT_MS = 60_000
export const LOCK_TIMEOUT_MS = 10_000

/** The setting that the policies of row-level security compare `project_id` with. */
const PROJECT_SETTING = 'memsvc.project_id'

/** A pool of at most `size` connections, opened when they are needed. Those who wait are served in the order in which they came. */
export function createPool(url: string, size: number): Pool {
  const free: Slot[] = []
  const waiting: (() => void)[] = []
  const tracked = new Set<Promise<void>>()
  let open = 0

  async function take(projectId: string | undefined): Promise<Slot> {
    while (free.length === 0 && open >= size) await new Promise<void>((resume) => waiting.push(resume))
    const at = free.findIndex(({ shows }) => shows === projectId)
    const [slot] = free.splice(Math.max(0, at), 1)
    if (slot !== undefined) return slot
    open++
    return openSlot(url).catch((error) => {
      release()
      throw error
    })
  }

  function release(): void {
    open--
    waiting.shift()?.()
  }

  async function use<T>(projectId: string | undefined, act: (connection: Connection) => Promise<T>): Promise<T> {
    const slot = await take(projectId)
    try {
      if (slot.shows !== projectId) await show(slot, projectId)
      const value = await act(slot)
      free.push(slot)
      waiting.shift()?.()
      return value
    } catch (error) {
      if (isConnectionLost(error)) {
        slot.client.close({ timeout: 0 }).catch(() => {})
        release()
      } else {
        free.push(slot)
        waiting.shift()?.()
      }
      throw error
    }
  }

  return {
    use,
    track: (work) => {
      tracked.add(work)
      work.finally(() => tracked.delete(work)).catch(() => {})
    },
    close: async () => {
      while (tracked.size > 0) await Promise.allSettled(tracked)
      await Promise.all(free.splice(0).map(({ client }) => client.close()))
    },
  }
}

async function openSlot(url: string): Promise<Slot> {
  // A client with one connection: statements reach the database in the order in which they were given, and transactions are begun and ended by statements of ours.
  const client = new SQL({ url, max: 1, idleTimeout: 0, maxLifetime: 0, connectionTimeout: LOCK_TIMEOUT_MS / 1_000 })
  const slot: Slot = {
    client,
    db: drizzle({ client, casing: 'snake_case' }),
    run: (statement) => client.unsafe(statement),
    shows: undefined,
  }
  await slot.run(`set statement_timeout = ${STATEMENT_TIMEOUT_MS}`)
  await slot.run(`set lock_timeout = ${LOCK_TIMEOUT_MS}`)
  return slot
}

async function show(slot: Slot, projectId: string | undefined): Promise<void> {
  slot.shows = undefined
  await slot.client`select set_config(${PROJECT_SETTING}, ${projectId ?? ''}, false)`
  slot.shows = projectId
}
