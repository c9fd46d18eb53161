import { type SQL, sql } from 'drizzle-orm'

/** What differs between engines: how a statement is run, and what a row and the table of requested e-mail addresses are called. */
type Engine = { run: (statement: SQL) => Promise<unknown[]>; row: string; emailChanges: string }

type Condition = (accountId: string) => SQL

const isOwn: Condition = (id) => sql`account_id = ${id}`
const isOfProject: Condition = (id) => sql`project_id in (select id from projects where account_id = ${id})`
const isOfMember: Condition = (id) => sql`member_id in (select id from members where account_id = ${id})`
const isOfIntegration: Condition = (id) => sql`integration_id in (select id from integrations where account_id = ${id})`
const isOfKey: Condition = (id) =>
  sql`key_id in (select keys.id from keys join projects on projects.id = keys.project_id where projects.account_id = ${id})`

/** Each table with rows of an account, and which are its. A table stands before those that its condition reads; the account itself is last. */
export const toAccountTables = (emailChanges: string): [table: string, condition: Condition][] => [
  ['grants', isOfKey],
  ['connections', isOfKey],
  ['keys', isOfProject],
  ['usage_daily', isOfProject],
  ['enabled_integrations', isOfIntegration],
  ['tool_lists', isOfIntegration],
  ['integrations', isOwn],
  ['access', isOfMember],
  ['passwords', isOfMember],
  ['sessions', isOfMember],
  ['entry_links', isOfMember],
  ['browsers', isOfMember],
  [emailChanges, isOfMember],
  ['invitations', isOwn],
  ['departments', isOwn],
  ['members', isOwn],
  ['projects', isOwn],
  ['audit', isOwn],
  ['accounts', (id) => sql`id = ${id}`],
]

/** Erases at most `limit` rows of an account. Returns how many. */
export async function eraseAccountRows({ run, row, emailChanges }: Engine, id: string, limit: number): Promise<number> {
  let erased = 0
  for (const [table, condition] of toAccountTables(emailChanges)) {
    const [from, place] = [sql.identifier(table), sql.raw(row)]
    const some = sql`select ${place} from ${from} where ${condition(id)} limit ${limit - erased}`
    erased += (await run(sql`delete from ${from} where ${place} in (${some}) returning 1 as one`)).length
    if (erased >= limit) return erased
  }
  return erased
}
