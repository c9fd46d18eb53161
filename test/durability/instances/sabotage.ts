import { SQL } from 'bun'
import type { Fleet } from './fleet.ts'
import type { Tried } from './rounds.ts'

/** Of every five records one is dropped and one is saved twice. The others cannot be forgotten: few are asked to be. */
const ONE_OF = 5

/**
 * What a database does that keeps nothing it promised, as triggers of its tables: the service acknowledges all the
 * same.
 */
const TRIGGERS = {
  'a save is dropped': ['records', 'before insert', `if new.seq % ${ONE_OF} = 0 then return null; end if; return new;`],
  'a record is not forgotten': [
    'records',
    'before update',
    `if new.seq % ${ONE_OF} not in (0, 2) then new.forgotten_at := null; end if; return new;`,
  ],
  'a window is not counted': ['windows', 'before update', 'new.taken := least(new.taken, old.taken); return new;'],
  'a key is not revoked': ['keys', 'before update', 'new.revoked_at := null; return new;'],
} as const

/**
 * Makes the database of a fleet lose, double and bring back records, miscount windows and keep revoked keys alive. What
 * tries the fleet must find all of it.
 */
export async function sabotage({ operator }: Fleet): Promise<void> {
  await using client = new SQL({ url: operator.config.databaseUrl ?? '', max: 1 })
  const names = Object.entries(TRIGGERS)
  for (const [at, [name, [table, event, act]]] of names.entries()) {
    await client.unsafe(`create function sabotage_${at}() returns trigger language plpgsql as $$ begin ${act} end $$`)
    await client.unsafe(`create trigger "${name}" ${event} on ${table} for each row execute function sabotage_${at}()`)
  }
  await doubleRecords(client)
}

/** Columns that are computed cannot be written. */
async function doubleRecords(client: SQL): Promise<void> {
  const found: { name: string }[] = await client`select column_name as name from information_schema.columns
    where table_name = 'records' and is_generated = 'NEVER' and column_name not in ('seq', 'id')`
  const columns = found.map(({ name }) => `"${name}"`)
  const copied = columns.map((name) => `new.${name}`)
  const isChosen = `new.seq % ${ONE_OF} = 2 and pg_trigger_depth() = 1`
  const insert = `insert into records (seq, id, ${columns}) values (new.seq + 1000000000, new.id || '-again', ${copied})`
  await client.unsafe(`create function sabotage_double() returns trigger language plpgsql as $$ begin
    if ${isChosen} then ${insert}; end if; return null; end $$`)
  await client.unsafe(
    'create trigger "a save is doubled" after insert on records for each row execute function sabotage_double()',
  )
}

/** What of a sabotaged fleet was not found out; none where whatever tries fleets can be relied on. */
export function findMissed({ wrong: { lost, back, doubled }, windowFaults, accepted }: Tried): string[] {
  const found = {
    lost: lost.length,
    back: back.length,
    doubled: doubled.length,
    windows: windowFaults.length,
    'revoked keys': accepted,
  }
  return Object.entries(found).flatMap(([kind, count]) => (count === 0 ? [kind] : []))
}
