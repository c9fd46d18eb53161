import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { migrations } from '../../../src/store/sqlite/migrations.ts'

test('an older file learns under which names its audiences list their workspaces', () => {
  const at = migrations.project.findIndex(({ name }) => name.endsWith('workspaces_people'))
  using database = new Database(':memory:')
  for (const { sql } of migrations.project.slice(0, at)) database.run(sql)
  database.run("insert into workspaces values (1, 'kept', 1, null), (2, 'gone', 1, 2)")
  database.run("insert into workspace_audiences values (1, '*'), (1, 'a:m'), (2, '*')")
  for (const { sql } of migrations.project.slice(at)) database.run(sql)
  expect(database.query('select workspace_id as id, audience, name from workspace_audiences order by 1, 2').all()).toEqual([
    { id: 1, audience: '*', name: 'kept' },
    { id: 1, audience: 'a:m', name: 'kept' },
    { id: 2, audience: '*', name: null },
  ])
})

test('what an older file let pass the guard may still pass', () => {
  const at = migrations.project.findIndex(({ name }) => name.endsWith('releases_people'))
  using database = new Database(':memory:')
  for (const { sql } of migrations.project.slice(0, at)) database.run(sql)
  database.run("insert into allowed values ('abc', 7)")
  for (const { sql } of migrations.project.slice(at)) database.run(sql)
  expect(database.query('select hash, state, decided_at as at from releases').all()).toEqual([{ hash: 'abc', state: 'allowed', at: 7 }])
})
