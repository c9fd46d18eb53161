import { type Connection, type OpenConnection, openConnection } from './connection.ts'

/** Opens a connection for one act, and closes it. */
export async function useConnection<T>(url: string, act: (connection: OpenConnection) => Promise<T>): Promise<T> {
  const connection = await openConnection(url)
  try {
    return await act(connection)
  } finally {
    await connection.close()
  }
}

/** Of the time-outs those that this version has: `transaction_timeout` came with 17. */
const NO_TIMEOUTS = `select set_config(name, '0', true) from pg_settings
  where name in ('statement_timeout', 'lock_timeout', 'transaction_timeout')`

/** Runs an act in a transaction whose statements may take as long as they do. */
export async function inLongTransaction<T>(connection: Connection, act: () => Promise<T>): Promise<T> {
  await connection.run('begin')
  try {
    await connection.run(NO_TIMEOUTS)
    const value = await act()
    await connection.run('commit')
    return value
  } catch (error) {
    await connection.run('rollback').catch(() => {})
    throw error
  }
}
