import { StorageDown, type StorageRefusal } from '../../errors.ts'
import { type Connection, type OpenConnection, openConnection } from './connection.ts'
import { isConnectionLost, isStandby } from './errors.ts'

export type Pool = {
  /**
   * Lends a connection on which the project's rows are visible, as soon as one is free; without a project, one for
   * tables that belong to none. A lost connection, or one to a standby, is not lent again; one kept longer than
   * `limitMs`, because the network is cut silently, is closed, which rejects what is in progress on it.
   *
   * @throws StorageDown if none is free for 10 seconds.
   */
  use: <T>(projectId: number | undefined, act: (connection: Connection) => Promise<T>, limitMs?: number) => Promise<T>
  /** Told of each act that the database refused. */
  refused: (refusal: StorageRefusal) => void
  /** Registers work that must end before the pool is closed. */
  track: (work: Promise<void>) => void
  /** Resolves when tracked work has ended and all connections are closed. */
  close: () => Promise<void>
}

/**
 * Longest that somebody waits for a connection, that one takes to open, and that one is kept: the latter above what a
 * statement may take.
 */
const LIMITS = { waitMs: 10_000, openMs: 10_000, useMs: 25_000 }

/**
 * A pool of at most `size` connections, opened when they are needed. Those who wait are served in the order in which
 * they came.
 */
export function createPool(
  url: string,
  size: number,
  limits: Partial<typeof LIMITS> = {},
  refused: Pool['refused'] = () => {},
): Pool {
  const { waitMs, openMs, useMs } = { ...LIMITS, ...limits }
  const turns = createTurns(size, waitMs)
  const tracked = new Set<Promise<void>>()
  let free: OpenConnection[] = []
  let isClosed = false

  async function take(projectId: number | undefined): Promise<OpenConnection> {
    if (isClosed) throw new Error('the store is closed')
    await turns.take()
    free = free.filter((connection) => !connection.isClosed())
    const at = free.findIndex((connection) => connection.shows(projectId))
    const [connection] = free.splice(Math.max(0, at), 1)
    if (connection !== undefined) return connection
    return openConnection(url, openMs).catch((error) => {
      turns.giveBack()
      throw error
    })
  }

  function giveBack(connection: OpenConnection, error?: unknown): void {
    if (isClosed || connection.isClosed() || isConnectionLost(error) || isStandby(error)) connection.cut()
    else free.push(connection)
    turns.giveBack()
  }

  async function use<T>(
    projectId: number | undefined,
    act: (connection: Connection) => Promise<T>,
    limitMs = useMs,
  ): Promise<T> {
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
    refused,
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

/**
 * Permits; at most `size` are taken at a time. One that is given back goes to whoever has waited longest, not to who
 * asks in that moment.
 */
function createTurns(size: number, waitMs: number) {
  const waiting: (() => void)[] = []
  let taken = 0

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

  return {
    take: async (): Promise<void> => {
      if (taken >= size) return wait()
      taken += 1
    },
    giveBack: (): void => {
      const next = waiting.shift()
      if (next === undefined) taken -= 1
      else next()
    },
  }
}

/**
 * Runs an act on a connection after selecting the project, without waiting for that answer first; a value read before
 * it took effect is not returned.
 */
async function runShowing<T>(
  connection: OpenConnection,
  projectId: number | undefined,
  act: (connection: Connection) => Promise<T>,
) {
  if (projectId === undefined || connection.shows(projectId)) return act(connection)
  const [shown, done] = await Promise.allSettled([connection.show(projectId), act(connection)])
  if (shown.status === 'rejected') throw shown.reason
  if (done.status === 'rejected') throw done.reason
  return done.value
}
