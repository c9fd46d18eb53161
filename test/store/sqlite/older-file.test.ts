import { expect, onTestFinished } from 'bun:test'
import { Connection } from '../../../src/store/sqlite/connection.ts'
import { migrate } from '../../../src/store/sqlite/migrate.ts'
import { migrations } from '../../../src/store/sqlite/migrations.ts'
import { openSqliteStore } from '../../../src/store/sqlite/store.ts'
import { openStartedCli } from '../../run-cli.ts'
import { embeddedTest } from '../../stored-data.ts'

const fileTest = embeddedTest('looks into files')

fileTest('projects of an older version are brought up to date at once, before any is used', async () => {
  const { folder, project, remember } = await openStartedCli()
  await remember({ content: 'one' })
  const last = { name: '9999_made_up', hash: 'made up', sql: "update records set source_id = 'made up'" }
  migrations.project.push(last)
  onTestFinished(() => void migrations.project.splice(migrations.project.indexOf(last), 1))
  const store = await openSqliteStore(folder, Date.now)
  onTestFinished(store.close)
  expect([await store.upgrade(), await store.upgrade()]).toEqual([1, 0])
  expect(await store.project(project.id).listRecords({ visible: undefined })).toMatchObject([{ content: 'one', sourceId: 'made up' }])
})

fileTest('the tools that an older file knows of an integration count as accepted', () => {
  const at = migrations.control.findIndex(({ name }) => name.endsWith('withheld_tools'))
  using database = new Connection(':memory:')
  migrate(database, migrations.control.slice(0, at), 1, 0)
  database.run(`insert into tool_lists values ('i', '[{"name":"find"}]', 60000, 7)`)
  migrate(database, migrations.control, 1, 0)
  expect(database.query('select accepted, withheld from tool_lists').all()).toEqual([{ accepted: '[{"name":"find"}]', withheld: 0 }])
})
