import type { Caller } from '../account/auth/caller.ts'
import type { Clock } from '../clock.ts'
import { CallRefused } from './messages.ts'
import type { UpstreamClient } from './upstream-client.ts'
import type { UpstreamWorker } from './upstream-worker.ts'

/**
 * The sessions that calls run in: one for each project and integration or, for stateful integrations, for each key. So
 * what a server remembers in a session (a log level, a browser, an interpreter) is never shared with others. A session
 * is one connection of the worker, opened by its first call.
 */
export type Sessions = {
  /**
   * Runs a call in the caller's session. Throws CallRefused if too many sessions of the account have calls in flight.
   */
  run: <T>(client: UpstreamClient, caller: Caller, call: (connectionId: number) => Promise<T>) => Promise<T>
  /** Closes the sessions that no call has used for 15 minutes. */
  closeIdle: () => void
  /** Closes the sessions of a retired client that no call is using; the others close when their calls have ended. */
  closeRetired: () => void
}

type Session = {
  client: UpstreamClient
  connectionId: number
  callsInFlight: number
  /** By the monotonic clock, in milliseconds. */
  lastUsedAt: number
}

/** Maximum number of open sessions of an account; for a further one, the longest idle session is closed. */
const MAX_SESSIONS_OF_ACCOUNT = 256
const IDLE_MS = 15 * 60_000

export function createSessions({ upstreams, clock }: { upstreams: UpstreamWorker; clock: Clock }): Sessions {
  const sessions = new Map<string, Session>()

  function sessionFor(client: UpstreamClient, owner: string): Session {
    const key = `${client.connectionId} ${owner}`
    const known = sessions.get(key)
    if (known !== undefined) return known
    makeRoom(client.integration.accountId)
    const opened = {
      client,
      connectionId: upstreams.register(client.tools.noteChange),
      callsInFlight: 0,
      lastUsedAt: clock.ticks(),
    }
    sessions.set(key, opened)
    return opened
  }

  function makeRoom(accountId: string): void {
    const ofAccount = [...sessions].filter(([, { client }]) => client.integration.accountId === accountId)
    if (ofAccount.length < MAX_SESSIONS_OF_ACCOUNT) return
    const [oldest] = ofAccount
      .filter(([, session]) => isIdle(session))
      .sort(([, a], [, b]) => a.lastUsedAt - b.lastUsedAt)
    if (oldest === undefined)
      throw new CallRefused(
        'many',
        `all ${MAX_SESSIONS_OF_ACCOUNT} sessions of this account with other servers have calls on their way; try again`,
      )
    close(...oldest)
  }

  function close(key: string, { connectionId }: Session): void {
    sessions.delete(key)
    upstreams.unregister(connectionId)
  }

  function closeWhere(isOver: (session: Session) => boolean): void {
    for (const [key, session] of sessions) if (isIdle(session) && isOver(session)) close(key, session)
  }

  const closeRetired = () => closeWhere(({ client }) => client.isRetired())

  return {
    run: async (client, caller, call) => {
      const session = sessionFor(client, client.integration.stateful ? caller.keyId : caller.projectId)
      session.callsInFlight += 1
      try {
        return await call(session.connectionId)
      } finally {
        session.callsInFlight -= 1
        session.lastUsedAt = clock.ticks()
        if (client.isRetired()) closeRetired()
      }
    },
    closeIdle: () => closeWhere(({ lastUsedAt }) => clock.ticks() - lastUsedAt >= IDLE_MS),
    closeRetired,
  }
}

function isIdle({ callsInFlight }: Session): boolean {
  return callsInFlight === 0
}
