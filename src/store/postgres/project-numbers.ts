import { eq } from 'drizzle-orm'
import type { Connection } from './connection.ts'
import { projectNumbers } from './schema/control.ts'

/** The number of a project; undefined if it was never used, or was erased. */
export async function findNumber({ db }: Connection, id: string): Promise<number | undefined> {
  const { number } = projectNumbers
  return (await db.select({ number }).from(projectNumbers).where(eq(projectNumbers.id, id)))[0]?.number
}

/** The number of a project, which is given one if it has none. */
export async function requireNumber(connection: Connection, id: string): Promise<number> {
  const known = await findNumber(connection, id)
  if (known !== undefined) return known
  // Another instance may give it one at the same moment.
  await connection.db.insert(projectNumbers).values({ id }).onConflictDoNothing()
  const given = await findNumber(connection, id)
  if (given === undefined) throw new Error(`project ${id} was given no number`)
  return given
}

type Verb = (...args: never[]) => Promise<unknown>

/** The number of no project. */
const NO_PROJECT = 0

/** The verbs that `make` returns for a project, each of which first waits for the project's number. */
export function withNumber<Verbs extends Record<keyof Verbs, Verb>>(
  number: () => Promise<number>,
  make: (number: number) => Verbs,
): Verbs {
  let made: Verbs | undefined
  const toVerb =
    (name: string | symbol): Verb =>
    async (...args) => {
      const known = await number()
      made ??= make(known)
      return Reflect.get(made, name)(...args)
    }
  // Verbs of no project tell which there are.
  return { ...new Proxy(make(NO_PROJECT), { get: (_, name) => toVerb(name) }) }
}
