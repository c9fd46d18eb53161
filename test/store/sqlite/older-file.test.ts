import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { join } from 'node:path'
import { Connection } from '../../../src/store/sqlite/connection.ts'
import { migrate } from '../../../src/store/sqlite/migrate.ts'
import { migrations } from '../../../src/store/sqlite/migrations.ts'
import { startService } from '../../start-service.ts'
import { embeddedTest } from '../../stored-data.ts'

const fileTest = embeddedTest('looks into files')

fileTest('an older file learns under which names its audiences list their workspaces', () => {
  const at = migrations.project.findIndex(({ name }) => name.endsWith('workspaces_people'))
  using database = new Connection(':memory:')
  migrate(database, migrations.project.slice(0, at), 1, 0)
  database.run("insert into workspaces values (1, 'kept', 1, null), (2, 'gone', 1, 2)")
  database.run("insert into workspace_audiences values (1, '*'), (1, 'a:m'), (2, '*')")
  migrate(database, migrations.project, 1, 0)
  expect(database.query('select workspace_id as id, audience, name from workspace_audiences order by 1, 2').all()).toEqual([
    { id: 1, audience: '*', name: 'kept' },
    { id: 1, audience: 'a:m', name: 'kept' },
    { id: 2, audience: '*', name: null },
  ])
})

fileTest('what an older file let pass the guard may still pass', () => {
  const at = migrations.project.findIndex(({ name }) => name.endsWith('releases_people'))
  using database = new Connection(':memory:')
  migrate(database, migrations.project.slice(0, at), 1, 0)
  database.run("insert into allowed values ('abc', 7)")
  migrate(database, migrations.project, 1, 0)
  expect(database.query('select hash, state, decided_at as at from releases').all()).toEqual([{ hash: 'abc', state: 'allowed', at: 7 }])
})

fileTest('an older file compares its fact keys as they are folded, and knows its verified records as such', () => {
  const at = migrations.project.findIndex(({ name }) => name.endsWith('_facts'))
  using database = new Connection(':memory:')
  migrate(database, migrations.project.slice(0, at), 1, 0)
  const insert =
    database.query(`insert into records (id, workspace_id, audience, author_id, content, content_hash, fact_key, fact_key_given, status, created_at)
    values (?1, 1, '*', 'm', 'c', 1, ?1, 1, ?2, 7)`)
  for (const key of ['plain', ' VAT Rate', 'Größe', 'ＶＡＴ']) insert.run(key, key === 'plain' ? 'verified' : 'unverified')
  migrate(database, migrations.project, 1, 0)
  expect(database.query('select compared_key as key, verified_at as verified from records order by seq').all()).toEqual([
    { key: 'plain', verified: 7 },
    { key: 'vat rate', verified: null },
    { key: 'grösse', verified: null },
    { key: 'vat', verified: null },
  ])
})

fileTest('projects of an older version are brought up to date at once, before any is used', async () => {
  const { service, project, call, org } = await startService()
  await call('remember', { content: 'The port is 8080' })
  const older = await org.addProject('older')
  const path = join(service.config.dataDir, 'projects', `${older.id}.db`)
  const countSteps = () => {
    using database = new Database(path, { readwrite: true })
    return database.query<{ steps: number }, []>('select count(*) as steps from migrations').get()?.steps
  }
  await Bun.write(path, '')
  using made = new Connection(path)
  migrate(made, migrations.project.slice(0, 3), 0x6d656d70, 0)
  made.close()
  using control = new Database(join(service.config.dataDir, 'control.db'), { readwrite: true })
  control.run('update projects set made_at = 1 where id = ?', [older.id])
  expect(await service.store.upgrade()).toBe(1)
  expect(countSteps()).toBe(migrations.project.length)
  expect(await service.store.upgrade()).toBe(0)
  expect(await service.store.project(project.id).readUsage()).toMatchObject({ records: 1 })
})

fileTest('the tools that an older file knows of an integration count as accepted', () => {
  const at = migrations.control.findIndex(({ name }) => name.endsWith('withheld_tools'))
  using database = new Connection(':memory:')
  migrate(database, migrations.control.slice(0, at), 1, 0)
  database.run(`insert into tool_lists values ('i', '[{"name":"find"}]', 60000, 7)`)
  migrate(database, migrations.control, 1, 0)
  expect(database.query('select accepted, withheld from tool_lists').all()).toEqual([{ accepted: '[{"name":"find"}]', withheld: 0 }])
})
