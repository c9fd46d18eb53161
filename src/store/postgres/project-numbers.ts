import { eq, type SQL, sql } from 'drizzle-orm'
import { Refusal } from '../../errors.ts'
import type { Connection } from './connection.ts'
import type { Row } from './pipeline.ts'
import { projectNumbers } from './schema/control.ts'

/** The number of a project; undefined if it was never used, or was erased. */
export async function findNumber({ db }: Connection, id: string): Promise<number | undefined> {
  const { number } = projectNumbers
  return (await db.select({ number }).from(projectNumbers).where(eq(projectNumbers.id, id)))[0]?.number
}

/** The number of a project, which is given one if it has none. */
export async function requireNumber(connection: Connection, id: string): Promise<number> {
  const number = await giveNumber(connection, id, sql`values (${id})`)
  if (number === undefined) throw new Error(`project ${id} was given no number`)
  return number
}

/** The number of a project, which is given one if it has none and was not removed. */
export const findOrGiveNumber = (connection: Connection, id: string): Promise<number | undefined> =>
  // Locked, so that its removal, and the erasure after that, come after the number.
  giveNumber(connection, id, sql`select id from projects where id = ${id} and removed_at is null for share`)

async function giveNumber(connection: Connection, id: string, to: SQL): Promise<number | undefined> {
  const known = await findNumber(connection, id)
  if (known !== undefined) return known
  // Another instance may give it one at the same moment.
  await connection.db.execute(sql`insert into project_numbers (id) ${to} on conflict (id) do nothing`)
  return findNumber(connection, id)
}

/**
 * Selects the number and keeps the project from being erased until the end of the transaction. Every write begins with
 * it: another instance may have erased a project whose number this one keeps.
 */
export const lockNumber = (number: number): SQL =>
  sql`select number from project_numbers where number = ${number} for key share`

/** A project has no number any more, or another one if a standby was promoted that did not know of its first use. */
export class ErasedProject extends Refusal {
  constructor() {
    super('the project was erased')
  }
}

/** @throws ErasedProject if a statement that begins with `lockNumber` found no number. */
export function requireLocked(row: Row | undefined): Row {
  if (row === undefined) throw new ErasedProject()
  return row
}

type Verb = (...args: never[]) => Promise<unknown>

/** The number of no project. Its verbs are made only for their names, once for all projects: that takes milliseconds. */
export const NO_PROJECT = 0

/** The verbs that `make` returns for a project. Each waits for the project's number first. */
export function withNumber<Verbs extends Record<keyof Verbs, Verb>>(
  number: () => Promise<number>,
  make: (number: number) => Verbs,
  ofNone: Verbs,
): Verbs {
  let made: Verbs | undefined
  const toVerb =
    (name: string | symbol): Verb =>
    async (...args) => {
      const known = await number()
      made ??= make(known)
      return Reflect.get(made, name)(...args)
    }
  return { ...new Proxy(ofNone, { get: (_, name) => toVerb(name) }) }
}
