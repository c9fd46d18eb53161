import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { migrations } from '../../../src/store/postgres/migrations.ts'
import { openPostgresStore } from '../../../src/store/postgres/store.ts'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { rejectionOf } from '../../rejection-of.ts'

const programs = findPostgres()

/**
 * Tables of no single project. Whoever adds one says here why no policy has to hide its rows; every other table is of
 * projects' data.
 */
const WITHOUT_POLICY = {
  'accounts and who may do what': ['access', 'accounts', 'departments', 'keys', 'members', 'projects'],
  'sign-in': ['browsers', 'email_changes', 'entry_links', 'invitations', 'passwords', 'sessions'],
  'acts of members, read by their id': ['undos'],
  'hosted assistants': ['connections', 'grants', 'oauth_clients'],
  integrations: ['enabled_integrations', 'integrations', 'tool_lists'],
  'counts, refused calls and the audit log, which accounts read across projects': [
    'audit',
    'call_errors',
    'usage_daily',
    'window_answers',
    'window_places',
    'windows',
  ],
  'the database itself': ['control_version', 'migrations', 'project_numbers'],
}

const POLICY = "(project_id = (NULLIF(current_setting('memsvc.project_id'::text, true), ''::text))::integer)"
const VALUES: Record<string, string> = {
  text: "'x'",
  integer: '1',
  bigint: '1',
  boolean: 'false',
  bytea: "'\\x00000001'",
  uuid: "'00000000000000000000000000000001'",
  'integer[]': "'{1}'",
}

type Table = { name: string; columns: { name: string; type: string }[] }

describe.skipIf(programs === undefined)(
  'policies of PostgreSQL, which hold whatever a statement asks for',
  async () => {
    if (programs === undefined) return
    const server = await startPostgres(programs)
    const { url } = await server.createDatabase()
    const admin = new SQL({ url: url.replace('memsvc@', 'postgres@'), max: 1 })
    const role = new SQL({ url, max: 1 })
    let tables: Table[] = []
    beforeAll(async () => {
      await role.unsafe(
        'create table migrations (name text primary key, hash text not null, applied_at bigint not null)',
      )
      for (const { sql } of migrations) await role.unsafe(sql)
      const found =
        await admin.unsafe(`select relname as name, json_agg(json_build_object('name', attname, 'type', format_type(atttypid, null))) as columns
      from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = ''
      where relrowsecurity group by 1 order by 1`)
      tables = [...found]
      for (const table of tables) for (const project of [1, 2]) await admin.unsafe(toInsert(table, project))
    })
    afterAll(async () => {
      await Promise.all([admin.close(), role.close()])
      await server.stop()
    })

    /** A statement that adds a row of a project. */
    const toInsert = ({ name, columns }: Table, project: number) =>
      `insert into ${name} (${columns.map((column) => column.name).join(', ')})
      values (${columns.map((column) => (column.name === 'project_id' ? project : VALUES[column.type])).join(', ')})`
    const show = (project: number | '') => role`select set_config('memsvc.project_id', ${String(project)}, false)`
    /** What each table has, as `read` finds it. */
    const ofEach = async <Found>(read: (table: Table) => Promise<Found>) => {
      const found: Record<string, Found> = {}
      for (const table of tables) found[table.name] = await read(table)
      return found
    }
    const all = <Found>(found: Found) => Object.fromEntries(tables.map(({ name }) => [name, found]))

    test('stand before every table, but for those that are of no single project', async () => {
      const names = (rows: { name: string }[]) => rows.map(({ name }) => name)
      const without =
        await admin.unsafe(`select relname as name from pg_class where relkind in ('r', 'p', 'v', 'm') and not relrowsecurity
      and relnamespace = 'public'::regnamespace order by 1`)
      expect(names(without)).toEqual(Object.values(WITHOUT_POLICY).flat().sort())
      const policies = await admin.unsafe(
        `select tablename as name, cmd, permissive, roles::text, qual, with_check from pg_policies order by 1`,
      )
      const one = { cmd: 'ALL', permissive: 'PERMISSIVE', roles: '{public}', qual: POLICY, with_check: POLICY }
      expect([...policies]).toEqual(tables.map(({ name }) => ({ name, ...one })))
      // It runs as the owner of the tables, and counts their pages: no row of them is read or written.
      const asOwner = await admin.unsafe(
        `select proname from pg_proc where prosecdef and pronamespace = 'public'::regnamespace`,
      )
      expect([...asOwner]).toEqual([{ proname: 'analyze_grown' }])
    })

    test('show no row while no project is named, and those of one project while it is', async () => {
      const read = ({ name }: Table) => role.unsafe(`select project_id from ${name}`).then((rows) => [...rows])
      await show('')
      expect(await ofEach(read)).toEqual(all([]))
      await show(1)
      expect(await ofEach(read)).toEqual(all([{ project_id: 1 }]))
      await using another = new SQL({ url, max: 1 })
      expect(
        await ofEach(({ name }) => another.unsafe(`select project_id from ${name}`).then((rows) => rows.length)),
      ).toEqual(all(0))
    })

    test('let no row of another project be changed, erased, added or given away', async () => {
      await show(1)
      const count = async ({ name }: Table, change: string) => {
        await role.unsafe('begin')
        const { count } = await role.unsafe(change)
        const left = await role.unsafe(
          `select set_config('memsvc.project_id', '2', true), (select count(*)::integer from ${name}) as n`,
        )
        await role.unsafe('rollback')
        return [count, left[0].n]
      }
      expect(await ofEach((table) => count(table, `update ${table.name} set project_id = project_id`))).toEqual(
        all([1, 1]),
      )
      expect(await ofEach((table) => count(table, `delete from ${table.name}`))).toEqual(all([1, 1]))
      const refused = ({ name }: Table, change: string) =>
        rejectionOf(role.unsafe(change)).then((text) => text.replace(`"${name}"`, 'it'))
      const no = 'new row violates row-level security policy for table it'
      expect(await ofEach((table) => refused(table, toInsert(table, 3)))).toEqual(all(no))
      expect(await ofEach((table) => refused(table, `update ${table.name} set project_id = 2`))).toEqual(all(no))
    })

    test('are not passed by any role that memsvc takes: none that is, or may become, one that they do not hold for', async () => {
      const database = await server.createDatabase()
      const refusal = async (name: string) => {
        const opened = openPostgresStore({ url: database.url.replace('memsvc@', `${name}@`), poolSize: 1 }, Date.now)
        return rejectionOf(opened.then((store) => store.close()))
      }
      await admin.unsafe(
        'create role passes bypassrls; create role go_between; create role climber login; create role plain login',
      )
      await admin.unsafe('create role direct login bypassrls; create role disguised login superuser')
      await admin.unsafe('grant passes to go_between; grant go_between to climber; alter role disguised set role plain')
      expect(await refusal('postgres')).toContain("is, or may become, 'postgres', a superuser")
      expect(await refusal('direct')).toContain("is, or may become, 'direct'")
      expect(await refusal('climber')).toContain("is, or may become, 'passes'")
      expect(await refusal('disguised')).toContain('a superuser or one that may bypass row-level security')
      expect(await refusal('plain')).toContain('permission denied')
    })
  },
)
