import { getTableColumns, type SQL, Subquery, sql } from 'drizzle-orm'
import { numbers } from '../among.ts'
import { records } from '../schema/project.ts'
import { isOf, type Scope } from './scope.ts'

/** Numbers of records, as rows to select from: `byNumber` joins the records. */
export const named = (seqs: number[]): SQL => sql`unnest(array${numbers(seqs)}) as named (number)`

/**
 * The record of each number that is `named`, to be joined laterally: looked up by the primary key. By a condition on the number, PostgreSQL would read the
 * whole of a project of which it knows too little: one that is new, or larger than it thinks. Not by the query builder, which takes longer to write a
 * subquery of all columns than the database to run it.
 */
export const byNumber = (scope: Pick<Scope, 'projectId'>) =>
  new Subquery(
    sql`select * from ${records} where ${isOf(records, scope)} and ${records.seq} between named.number and named.number order by ${records.seq} limit 1`,
    getTableColumns(records),
    'records',
  )
