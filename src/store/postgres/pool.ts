import { StorageDown } from '../../errors.ts'
import { type Connection, type OpenConnection, openConnection } from './connection.ts'
import { isConnectionLost, isStandby } from './errors.ts'

export type Pool = {
  /**
   * Lends a connection on which the project's rows are visible, as soon as one is free; without a project, one for tables that belong to none. A lost
   * connection, or one to a standby, is not lent again; one kept longer than `limitMs`, because the network is cut silently, is closed, which rejects what is
   * in progress on it.
   *
   * @throws StorageDown if none is free for 10 seconds.
   */
  use: <T>(projectId: string | undefined, act: (connection: Connection) => Promise<T>, limitMs?: number) => Promise<T>
  /** Registers work that must end before the pool is closed. */
  track: (work: Promise<void>) => void
  /** Resolves when tracked work has ended and all connections are closed. */
  close: () => Promise<void>
}

/** Longest that somebody waits for a connection, and keeps one: the latter above what a statement may take. */
const LIMITS = { waitMs: 10_000, useMs: 25_000 }

/** A pool of at most `size` connections, opened when they are needed. Those who wait are served in the order in which they came. */
export function createPool(url: string, size: number, { waitMs, useMs } = LIMITS): Pool {
  const free: OpenConnection[] = []
  const waiting: (() => void)[] = []
  const tracked = new Set<Promise<void>>()
  let open = 0
  let isClosed = false

  function wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const resume = () => {
        clearTimeout(timer)
        resolve()
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(resume), 1)
        reject(new StorageDown('all connections to the database are in use', 'pool'))
      }, waitMs)
      waiting.push(resume)
    })
  }

  function dropClosed(): void {
    for (const closed of free.filter((connection) => connection.isClosed())) {
      free.splice(free.indexOf(closed), 1)
      open--
    }
  }

  async function take(projectId: string | undefined): Promise<OpenConnection> {
    if (isClosed) throw new Error('the store is closed')
    dropClosed()
    while (free.length === 0 && open >= size) {
      await wait()
      dropClosed()
    }
    const at = free.findIndex((connection) => connection.shows(projectId))
    const [connection] = free.splice(Math.max(0, at), 1)
    if (connection !== undefined) return connection
    open++
    return openConnection(url).catch((error) => {
      open--
      waiting.shift()?.()
      throw error
    })
  }

  function giveBack(connection: OpenConnection, error?: unknown): void {
    if (isConnectionLost(error) || isStandby(error)) connection.cut()
    if (connection.isClosed()) open--
    else free.push(connection)
    waiting.shift()?.()
  }

  async function use<T>(projectId: string | undefined, act: (connection: Connection) => Promise<T>, limitMs = useMs): Promise<T> {
    const connection = await take(projectId)
    const timer = setTimeout(connection.cut, limitMs)
    try {
      const value = await runShowing(connection, projectId, act)
      giveBack(connection)
      return value
    } catch (error) {
      giveBack(connection, error)
      throw error
    } finally {
      clearTimeout(timer)
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
      isClosed = true
      await Promise.all(free.splice(0).map((connection) => connection.close()))
    },
  }
}

/** Runs an act on a connection after selecting the project, without waiting for that answer first; a value read before it took effect is not returned. */
async function runShowing<T>(connection: OpenConnection, projectId: string | undefined, act: (connection: Connection) => Promise<T>) {
  if (projectId === undefined || connection.shows(projectId)) return act(connection)
  const [shown, done] = await Promise.allSettled([connection.show(projectId), act(connection)])
  if (shown.status === 'rejected') throw shown.reason
  if (done.status === 'rejected') throw done.reason
  return done.value
}
