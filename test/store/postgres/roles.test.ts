import { afterAll, describe, expect, test } from 'bun:test'
import { SQL } from 'bun'
import { findPostgres, startPostgres } from '../../postgres.ts'
import { openCli } from '../../run-cli.ts'
import { startService } from '../../start-service.ts'

const programs = findPostgres()
const secret = { SVC_SECRET_KEY: 'ab'.repeat(32) }

describe.skipIf(programs === undefined)('the role of the service', async () => {
  if (programs === undefined) return
  const server = await startPostgres(programs)
  afterAll(server.stop)

  /** The tables belong to the role `memsvc`; the service is another one. */
  async function openTwoRoles() {
    const { url } = await server.createDatabase()
    const serviceRole = `service_${crypto.randomUUID().slice(0, 8)}`
    const admin = new SQL({ url: url.replace('memsvc@', 'postgres@'), max: 1 })
    await admin.unsafe(`create role ${serviceRole} login`)
    const serviceUrl = url.replace('memsvc@', `${serviceRole}@`)
    const cli = await openCli({ environment: { ...secret, SVC_DATABASE_URL: serviceUrl, SVC_PORT: '0' } })
    return { url, admin, serviceRole, serviceUrl, cli, migrate: () => cli.run(['database', 'migrate', '--url', url]) }
  }

  test('owns nothing and can lift no policy where the owner has migrated, and serves all the same', async () => {
    const { serviceRole, serviceUrl, migrate } = await openTwoRoles()
    const took = (steps: string) => ({
      status: 0,
      out: `took ${steps}; the role '${serviceRole}' may use the tables and owns none\n`,
      err: '',
    })
    expect(await migrate()).toEqual(took('1 step'))
    expect(await migrate()).toEqual(took('0 steps'))
    const { call, service } = await startService({
      config: { databaseUrl: serviceUrl, databasePool: 2, secretKeys: [new Uint8Array(32)] },
    })
    expect((await call('remember', { content: 'The build listens on port 9090' })).isError).toBe(false)
    expect((await call('search', { query: 'build port' })).structured?.result).toHaveLength(1)
    expect(service.store.ownsTables).toBe(false)
    await using client = new SQL({ url: serviceUrl, max: 1 })
    for (const statement of [
      'alter table records disable row level security',
      'alter table records no force row level security',
      'drop policy one_project on records',
      'truncate records',
      'create table other ()',
      'delete from migrations',
    ])
      expect(await client.unsafe(statement).catch(({ errno }) => errno)).toBe('42501')
    expect(await client.unsafe('select analyze_grown(8, 16384) as grew')).toHaveLength(1)
  })

  test('cannot have the owner run what it made, by temporary objects that are named as those of the catalog', async () => {
    const { migrate, serviceUrl } = await openTwoRoles()
    await migrate()
    await using client = new SQL({ url: serviceUrl, max: 1 })
    await client.unsafe(`create function pg_temp.lift() returns boolean language plpgsql as
      $$ begin execute 'alter table public.records disable row level security'; return true; end $$`)
    await client.unsafe(`create temp view pg_class as select oid, relname, relnamespace, relkind, relpages, relowner
      from pg_catalog.pg_class where pg_temp.lift(); grant select on pg_temp.pg_class to public`)
    await client.unsafe('select analyze_grown(1, 16384)')
    const policies = "select relrowsecurity as stand from pg_catalog.pg_class where oid = 'public.records'::regclass"
    expect([...(await client.unsafe(policies))]).toEqual([{ stand: true }])
  })

  test('that owns the tables works on; the start and doctor say so', async () => {
    const { url } = await server.createDatabase()
    const cli = await openCli({ environment: { ...secret, SVC_DATABASE_URL: url, SVC_PORT: '0' } })
    const { status, err } = await cli.run(['serve'], { interrupted: () => Promise.resolve() })
    expect([status, err]).toEqual([0, expect.stringContaining('"event":"the role of the database owns the tables"')])
    const { out } = await cli.run(['doctor', '--json'])
    expect(JSON.parse(out)).toContainEqual(
      expect.objectContaining({
        name: 'database',
        state: 'warning',
        detail: expect.stringContaining('owns the tables'),
      }),
    )
  })

  test('is told to have the owner migrate where tables of this version are missing', async () => {
    const { url, cli, migrate } = await openTwoRoles()
    await migrate()
    await using owner = new SQL({ url, max: 1 })
    await owner.unsafe('delete from migrations')
    expect(await cli.run(['serve'])).toEqual({
      status: 1,
      out: '',
      err: "memsvc: the database lacks tables of this version, and the role of SVC_DATABASE_URL does not own them; run 'memsvc database migrate --url postgres://OWNER…'\n",
    })
  })

  test('is refused by the owner who migrates if it owns anything, is a member of the owner, or is not there', async () => {
    const { admin, serviceRole, cli, migrate, url } = await openTwoRoles()
    await admin.unsafe(`grant memsvc to ${serviceRole}`)
    expect((await migrate()).err).toBe(
      `memsvc: the role '${serviceRole}' owns the database, its schema or tables, or is a member of the role that does; as a superuser, 'reassign owned by' it to 'memsvc'\n`,
    )
    const named = (...more: string[]) => cli.run(['database', 'migrate', '--url', url, ...more])
    expect((await named('--role', 'nobody here')).err).toBe(
      "memsvc: there is no role 'nobody here' (create role … login password '…')\n",
    )
  })
})
