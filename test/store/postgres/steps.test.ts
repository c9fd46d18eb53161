import { afterAll, afterEach, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { migrations } from '../../../src/store/postgres/migrations.ts'
import { openPostgresStore } from '../../../src/store/postgres/store.ts'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { startService } from '../../start-service.ts'
import { waitUntil } from '../../wait-until.ts'
import { findNotAdditive } from './steps/additive.ts'
import { NEXT_STEP, STEP_AFTER_NEXT } from './steps/made-up.ts'

const programs = findPostgres()
const own = [...migrations]

describe.skipIf(programs === undefined)('steps of the schema', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)
  afterEach(() => void migrations.splice(0, migrations.length, ...own))
  const open = async (url: string) => (await openPostgresStore({ url, poolSize: 1 }, Date.now)).close()

  /** Brings a database up to date as a newer version does. */
  async function migrateAsNewer(url: string, ...more: typeof migrations): Promise<void> {
    migrations.push(...more)
    await open(url)
    migrations.splice(0, migrations.length, ...own)
  }

  test('of the next version leave an instance of this one at work, and let it start again, beside one of the next', async () => {
    const { url: databaseUrl } = await server.createDatabase()
    const config = { databaseUrl, databasePool: 2, secretKeys: [new Uint8Array(32)] }
    const running = await startService({ config })
    const work = async ({ call }: Pick<typeof running, 'call'>, note: string) => {
      expect(
        await call('remember', { content: `Deploys of ${note} go out on Tuesdays`, source_id: note }),
      ).toMatchObject({ isError: false })
      expect((await call('search', { query: `deploys of ${note}` })).text).toContain(note)
      expect((await call('forget', { source_id: note })).structured).toMatchObject({ result: { forgotten: 1 } })
    }
    // Statements are prepared by now.
    for (const note of ['mercury', 'venus', 'earth']) await work(running, note)
    await migrateAsNewer(databaseUrl, NEXT_STEP)
    await work(running, 'mars')
    const restarted = await startService({ config, first: running })
    await work(restarted, 'jupiter')
    migrations.push(NEXT_STEP)
    const newer = await startService({ config, first: running })
    for (const [note, service] of Object.entries({ saturn: newer, uranus: running, neptune: restarted }))
      await work(service, note)
  })

  test('of the version after the next are refused, and nothing is changed', async () => {
    const { url } = await server.createDatabase()
    await open(url)
    await migrateAsNewer(url, NEXT_STEP, STEP_AFTER_NEXT)
    expect(await rejectionOf(open(url))).toContain(
      "the data was written by a newer memsvc (it has '9999_made_up'); use that version or a backup",
    )
  })

  test('are taken again if the database ended them because they and a write waited for each other', async () => {
    const { url } = await server.createDatabase()
    await open(url)
    await using writer = new SQL({ url: url.replace('memsvc@', 'postgres@'), max: 1 })
    await writer.unsafe("begin; set local deadlock_timeout = '1min'; lock table records in row exclusive mode")
    const held = (table: string, state: string) =>
      `exists (select 1 from pg_locks where relation = '${table}'::regclass and ${state})`
    const migrated = migrateAsNewer(url, {
      ...NEXT_STEP,
      sql: `lock table keys; do $$ begin
        while ${held('records', 'granted')} and not ${held('keys', 'not granted')} loop perform pg_sleep(0.01); end loop;
      end $$; lock table records`,
    })
    await waitUntil('the step has begun', async () => {
      const [found] = await writer.unsafe(`select ${held('keys', 'granted')} as begun`)
      return found.begun
    })
    await writer.unsafe('lock table keys in row exclusive mode')
    await writer.unsafe('commit')
    await migrated
    expect(await writer`select name from migrations where name = ${NEXT_STEP.name}`).toHaveLength(1)
  })

  test('that wait for a table let others read it meanwhile, and are taken once it is free', async () => {
    const { url } = await server.createDatabase()
    await open(url)
    await using dump = new SQL({ url, max: 1 })
    await using other = new SQL({ url, max: 1 })
    await dump.unsafe('begin; select from records')
    const migrated = migrateAsNewer(url, NEXT_STEP)
    await waitUntil('the step waits for the table', async () => {
      const waiting = await other`select from pg_locks where relation = 'records'::regclass and not granted`
      return waiting.length > 0
    })
    await other`select from records`
    await dump.unsafe('commit')
    await migrated
    expect(await other`select name from migrations where name = ${NEXT_STEP.name}`).toHaveLength(1)
  })

  test('of another history are refused', async () => {
    const { url } = await server.createDatabase()
    await open(url)
    await migrateAsNewer(url, NEXT_STEP)
    migrations.push({ ...NEXT_STEP, hash: 'edited' })
    expect(await rejectionOf(open(url))).toContain("the data has another history than this memsvc ('9998_made_up')")
  })
})

test('every step after the first only adds to what the version before uses', () => {
  const found = own.slice(1).flatMap((step, at) =>
    findNotAdditive(
      step,
      own.slice(0, at + 1).map(({ name }) => name),
    ),
  )
  expect(found).toEqual([])
})

test('what would disturb the version before is told from what it does not notice', () => {
  const added = [
    'CREATE TABLE "made" ("id" text NOT NULL);',
    'create unique index made_once on made (id);',
    'alter table made enable row level security;',
    'create policy one_project on made using (true);',
    'create index records_by_made on records (made);',
    'ALTER TABLE "records" ADD COLUMN "made" text;',
    `ALTER TABLE "records" ADD COLUMN "more" text DEFAULT 'x' NOT NULL;`,
    `alter table records add column most text not null default 'x';`,
    '-- Unused since 0001_earlier.\nalter table records drop column old;',
  ]
  const disturbing = [
    'alter table records drop column old;',
    '-- Unused since 0002_never.\ndrop table sources;',
    'alter table records rename column old to new;',
    'ALTER TABLE "records" ADD COLUMN "made" text NOT NULL;',
    'alter table records add column made text unique;',
    'alter table records alter column old type integer;',
    'alter table records add constraint short check (length(old) < 9);',
    'create unique index records_once on records (old);',
    'create policy other on records using (false);',
    'create or replace function sweep_windows(given_now bigint) returns void language sql as $$ select 1 $$;',
    "update records set old = 'x';",
  ]
  const sql = [...added, ...disturbing].join('\n--> statement-breakpoint\n')
  expect(findNotAdditive({ name: '0003_made', hash: '', sql }, ['0001_earlier'])).toEqual(disturbing)
})
