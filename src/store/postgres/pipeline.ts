import type { SQL } from 'bun'
import type { SQL as Statement } from 'drizzle-orm'
import { PgDialect } from 'drizzle-orm/pg-core'

/** A row as the client returns it, by names of columns. */
export type Row = Record<string, unknown>

/** The rows of a statement, and its command tag; for a `commit` of a failed transaction that is `ROLLBACK`. */
export type Answer = Row[] & { command: string }

export const CASING = 'snake_case'

const dialect = new PgDialect({ casing: CASING })

export async function send(client: SQL, statements: Statement[]): Promise<Answer[]> {
  const queries = statements.map((statement) => toQuery(client, statement))
  // Executed here in order without awaiting; awaited queries would be sent in an order that depends on how they were
  // made.
  for (const query of queries) query.execute()
  const answers = await Promise.allSettled(queries)
  return answers.map((answer) => {
    if (answer.status === 'rejected') throw answer.reason
    return answer.value
  })
}

/**
 * A query that the client prepares. Without values it prepares only template queries; others would not be pipelined.
 */
function toQuery(client: SQL, statement: Statement): SQL.Query<Answer> {
  const { sql, params } = dialect.sqlToQuery(statement)
  return params.length === 0 ? client(toTemplate(sql)) : client.unsafe(sql, params)
}

const toTemplate = (text: string): TemplateStringsArray =>
  Object.defineProperty([text], 'raw', { value: [text] }) as never
