import type { RecordWrites } from '../../record-verbs.ts'
import type { ProjectSql } from './sql.ts'

/** Erases forgotten records; `removed` is called if there were any. */
export function createTrashWrites({ run, own }: ProjectSql, removed: () => void): Pick<RecordWrites, 'purgeForgotten'> {
  const purge = `delete from records where ${own()} and seq in (select seq from records where ${own()} and forgotten_at < $before limit $limit)`
  return {
    purgeForgotten: async (before, limit) => {
      const erased = await run(purge, { before, limit })
      if (erased > 0) removed()
      return erased
    },
  }
}

/** How many superseders of a record are followed. */
const MAX_SUPERSEDERS = 1_000

/**
 * Returns a function that tells whether the superseders from a record on lead to the record `id`, or are too many to
 * tell. A forgotten record has none.
 */
export function createLeading({ all, own }: ProjectSql): (id: string, by: string) => Promise<boolean> {
  const text = `with recursive superseders (id, number) as (
      select superseded_by, 2 from records where ${own()} and id = $by and superseded_by is not null
      union all
      select next.superseded_by, number + 1 from superseders join records as next on ${own('next')} and next.id = superseders.id
        where next.superseded_by is not null and superseders.id <> $id and number <= ${MAX_SUPERSEDERS}
    ) select 1 as one from superseders where superseders.id = $id or number > ${MAX_SUPERSEDERS} limit 1`
  return async (id, by) => id === by || (await all(text, { id, by })).length > 0
}
