import { sql } from 'drizzle-orm'
import { DataError } from '../../errors.ts'
import type { Connection } from './connection.ts'

/** Whether a role could change the tables, and with them lift the policies between projects. */
const toOwns = (role: ReturnType<typeof sql>) => sql`exists (
  select 1 from pg_class where relnamespace = current_schema()::regnamespace and pg_has_role(${role}, relowner, 'member')
  union all select 1 from pg_namespace where oid = current_schema()::regnamespace and pg_has_role(${role}, nspowner, 'member')
  union all select 1 from pg_database where datname = current_database() and pg_has_role(${role}, datdba, 'member'))`

/** Whether the role of this connection owns the database, its schema or a table, itself or as a member of the owner. */
export async function ownsTables({ db }: Connection): Promise<boolean> {
  const [found] = await db.execute<{ owns: boolean }>(sql`select ${toOwns(sql`current_user`)} as owns`)
  return found?.owns ?? false
}

/**
 * Gives a role what the service needs and takes everything else away: rows of all tables, but neither the tables
 * themselves nor `truncate`, which passes over row-level security.
 *
 * @throws DataError if there is no such role, or it could lift the policies all the same.
 */
export async function grantTo({ db, run }: Connection, role: string): Promise<void> {
  const [found] = await db.execute<{ exists: boolean; user: string; schema: string }>(
    sql`select exists (select 1 from pg_roles where rolname = ${role}) as exists, current_user as user, current_schema() as schema`,
  )
  if (!found?.exists) throw new DataError(`there is no role '${role}' (create role … login password '…')`)
  const [owner] = await db.execute<{ owns: boolean }>(sql`select ${toOwns(sql`${role}::name`)} as owns`)
  if (owner?.owns)
    throw new DataError(
      `the role '${role}' owns the database, its schema or tables, or is a member of the role that does; as a superuser, 'reassign owned by' it to '${found.user}'`,
    )
  const [name, schema] = [toIdentifier(role), toIdentifier(found.schema)]
  for (const statement of [
    `revoke all on all tables in schema ${schema} from ${name}`,
    `grant usage on schema ${schema} to ${name}`,
    `grant select, insert, update, delete on all tables in schema ${schema} to ${name}`,
    `grant usage on all sequences in schema ${schema} to ${name}`,
    `revoke insert, update, delete on migrations from ${name}`,
  ])
    await run(statement)
}

const toIdentifier = (name: string) => `"${name.replaceAll('"', '""')}"`
