import { expect, onTestFinished } from 'bun:test'
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
  expect(await store.project(project.id).listRecords({ visible: undefined })).toMatchObject([
    { content: 'one', sourceId: 'made up' },
  ])
})
