/** How long a cached version is used without an announcement, since announcements are lost when the network stalls. */
const TRUST_MS = 1_000

type AnnouncedVersion = {
  /**
   * The control version, cached while changes are announced. Lags behind commits of other instances by milliseconds, at
   * most a second.
   */
  version: () => Promise<number>
  /**
   * Drops the cached version; to be called after each announcement, and after each commit of this process that changed
   * it.
   */
  forget: () => void
}

/**
 * `read` asks the database; nothing is kept in memory unless `isListening`. `now` is a monotonic clock in milliseconds.
 */
export function createAnnouncedVersion(
  read: () => Promise<number>,
  isListening: () => boolean,
  now = () => performance.now(),
): AnnouncedVersion {
  let known: { version: number; readAt: number } | undefined
  let forgotten = 0
  return {
    version: async () => {
      const readAt = now()
      if (known !== undefined && readAt - known.readAt < TRUST_MS) return known.version
      const before = forgotten
      const version = await read()
      // What was announced meanwhile may be newer than what was read.
      known = isListening() && forgotten === before ? { version, readAt } : undefined
      return version
    },
    forget: () => {
      forgotten += 1
      known = undefined
    },
  }
}
