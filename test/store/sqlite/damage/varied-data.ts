import { Database } from 'bun:sqlite'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { insertRecords } from '../../../builders/records.ts'
import { openStartedCli } from '../../../run-cli.ts'

const RECORDS = 600
const ROWS = 60

/**
 * A data folder with rows in every table, of which some were deleted again, so that there are free pages; all in the
 * main files, nothing in a log.
 */
export async function makeVariedData() {
  const cli = await openStartedCli()
  const { folder, project, owner, onOrganization, onService } = cli
  await onOrganization(async (org) => {
    const department = await org.addDepartment('Engineering')
    for (let at = 0; at < ROWS / 2; at++) {
      const member = await org.addMember(`Member${at}`, at % 2 === 0 ? { department } : {})
      await org.issueKey({ member, label: `laptop ${at}` })
    }
    for (let at = 0; at < 5; at++) await org.addProject(`project ${at}`)
  })
  await onService(async (service) => {
    const contents = Array.from({ length: RECORDS }, (_, at) => ({
      content: `Note ${at}: the build of part ${(at * 7919) % 997} listens on port ${9000 + at}, said ${['Ana', 'Ben', 'Cleo'][at % 3]}.`,
      factKey: `part.${at}`,
      audience: (['*', '*', `a:${owner.id}`] as const)[at % 3] ?? '*',
      sourceId: at % 2 === 0 ? `docs/part-${at % 40}.md` : null,
      sourceHash: at % 2 === 0 ? `hash-${at % 7}` : null,
      expiresAt: at % 5 === 0 ? 1_900_000_000_000 + at : null,
      verifiedAt: at % 4 === 0 ? 1_700_000_000_000 + at : null,
      status: (at % 4 === 0 ? 'verified' : 'unverified') as 'verified' | 'unverified',
    }))
    await insertRecords({ service, project, owner }, contents)
    const store = service.store.project(project.id)
    const records = await store.listRecords({ visible: undefined })
    await store.write(async (tx) => {
      for (const { id } of records.slice(0, 100)) await tx.forgetRecord(id, 1)
      await tx.purgeForgotten(2, 60)
      for (const [at, { workspaceId, sourceId }] of records.entries())
        if (sourceId !== null && at % 10 === 0)
          await tx.saveSourceState({ workspaceId, sourceId, audience: '*' }, { hash: `hash-${at}`, at })
    })
    await service.store.tidy()
  })
  const control = join(folder, 'control.db')
  fillControl(control)
  const projectFile = join(folder, 'projects', `${project.id}.db`)
  for (const path of [control, projectFile]) empty(path)
  return { ...cli, control, projectFile }
}

/** Fills the tables of a control file that only people and applications fill. */
export function fillControl(path: string): void {
  const database = new Database(path)
  const ids = (table: string) =>
    database
      .query<{ id: string }, []>(`select id from ${table} order by id`)
      .all()
      .map(({ id }) => id)
  const [members, keys, projects, [account = '']] = ['members', 'keys', 'projects', 'accounts'].map(ids) as [
    string[],
    string[],
    string[],
    string[],
  ]
  const hex = (at: number) => new Bun.CryptoHasher('sha256').update(String(at)).digest('hex')
  const insert = (table: string, ...values: (string | number | null)[]) =>
    database.run(`insert into ${table} values (${values.map(() => '?').join(', ')})`, values)
  database.run('begin')
  for (let at = 0; at < ROWS; at++) {
    const [member = '', key = '', project = ''] = [
      members[at % members.length],
      keys[at % keys.length],
      projects[at % projects.length],
    ]
    insert('sessions', `s${at}`, hex(at), member, '192.0.2.1', `Browser ${at}`, at, 2e12 + at)
    insert('browsers', hex(at + 1e4), member, at)
    insert('undos', `u${at}`, member, `/console/${at}`, `[["id","${at}"]]`, at)
    insert('usage_daily', project, at, 'search', 'ok', key, 10, at)
    insert('call_errors', at + 1, at, account, project, member, key, `tool ${at}`, 'refused', 'arguments', 1)
    insert(
      'oauth_clients',
      `client ${at}`,
      'registration',
      `Client ${at}`,
      '["https://client.example/back"]',
      null,
      at,
      null,
    )
    insert(
      'grants',
      hex(at + 2e4),
      'asked',
      `client ${at}`,
      key,
      'https://client.example/back',
      'http://127.0.0.1/mcp',
      hex(at),
      null,
      at,
    )
    insert(
      'connections',
      `c${at}`,
      hex(at + 3e4),
      hex(at + 4e4),
      `client ${at}`,
      `Client ${at}`,
      'client.example',
      key,
      'http://127.0.0.1/mcp',
      at,
      2e12,
      null,
      at,
    )
    insert(
      'integrations',
      `i${at}`,
      account,
      `server-${at}`,
      `Server ${at}`,
      'https://mcp.example/',
      `sealed ${hex(at)}`,
      'read-only',
      null,
      20_000,
      1e6,
      0,
      at,
      at,
    )
    insert('enabled_integrations', `i${at}`, project)
    database.run(
      "insert into tool_lists (integration_id, tools, accepted, ttl_ms, fetched_at) values (?, ?, '[]', 1, 1)",
      [`i${at}`, JSON.stringify([{ name: `tool ${at}` }])],
    )
    if (at < members.length) {
      insert('passwords', member, `$argon2id$v=19$m=19456,t=2,p=1$${hex(at)}`)
      insert('email_changes', member, `wish${at}@example.org`, at)
      insert('access', member, project)
    }
  }
  for (let at = 0; at < 600; at++)
    database.run(
      "insert into audit (at, account_id, project_id, actor, act, target, via, outcome, details) values (?, ?, ?, 'operator', 'key.issue', ?, 'command line', 'done', ?)",
      [at, account, projects[at % projects.length] ?? '', hex(at), `{"label":"laptop ${at}"}`],
    )
  database.run('delete from audit where at between 100 and 400')
  database.run('commit')
  database.close()
}

/** Writes what is in the log to the file. */
function empty(path: string): void {
  const database = new Database(path)
  database.run('pragma wal_checkpoint(truncate)')
  database.close()
  if (existsSync(`${path}-wal`)) Bun.spawnSync(['rm', '-f', `${path}-wal`, `${path}-shm`])
}

/**
 * A hash over all rows of all tables of a file, those behind virtual tables included; what cannot be read is a
 * difference.
 */
export function dump(path: string): string {
  try {
    using database = new Database(path, { readonly: true })
    const tables = database
      .query<{ name: string }, []>(
        "select name from sqlite_schema where type = 'table' and sql not like 'create virtual%' order by name",
      )
      .all()
    const schema = database.query('select type, name, tbl_name, sql from sqlite_schema order by type, name').values()
    const rows = JSON.stringify([
      schema,
      ...tables.map(({ name }) => database.query(`select * from "${name}"`).values().map(toText)),
    ])
    return new Bun.CryptoHasher('sha256').update(rows).digest('hex')
  } catch (error) {
    return `unreadable: ${error}`
  }
}

const toText = (row: unknown[]) =>
  row.map((value) => (value instanceof Uint8Array ? value.toHex() : `${typeof value} ${value}`))
