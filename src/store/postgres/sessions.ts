import { useConnection } from './connection.ts'
import { toOperatorError } from './errors.ts'

/**
 * Looks whether each connection has a session of its own. A pooler that lends one for each transaction would mix up what belongs to a session: the project that
 * is shown, prepared statements, advisory locks, announcements.
 *
 * Such a pooler gives the transaction of the second connection the session that the first one had, and therefore the first one another. If others use the
 * pooler at the same moment, that may not be so; then a connection notices it when it shows a project.
 *
 * @throws DataError if connections have none, or the database cannot be used.
 */
export async function requireSessions(url: string): Promise<void> {
  await useConnection(url, (first) =>
    useConnection(url, async (second) => {
      await second.run('begin')
      await first.requireSession()
    }),
  ).catch((error) => {
    throw toOperatorError(error, url)
  })
}
