import { Database } from 'bun:sqlite'
import { expect, onTestFinished, test } from 'bun:test'
import { join } from 'node:path'
import { openSqliteStore } from '../../../src/store/sqlite/store.ts'
import { openStartedCli } from '../../run-cli.ts'

/** A store over a folder that another process has filled, and its files. */
async function openAgain() {
  const { folder, project, remember } = await openStartedCli()
  await remember({ content: 'one' })
  const store = await openSqliteStore(folder, Date.now)
  onTestFinished(store.close)
  const files = { control: join(folder, 'control.db'), project: join(folder, 'projects', `${project.id}.db`) }
  return { store, projectId: project.id, files }
}

/**
 * What another program gets that wants a file for itself, as one that deletes the log does: SQLite gives it whatever
 * file no other process has a lock on.
 */
function takeAlone(path: string): string {
  const script = `const { Database } = require('bun:sqlite')
    const database = new Database(${JSON.stringify(path)})
    database.run('pragma locking_mode = exclusive')
    try { console.log(database.query('select count(*) from sqlite_schema').values()) } catch (error) { console.log(error.message) }`
  return Bun.spawnSync([process.execPath, '-e', script]).stdout.toString().trim()
}

test('no other program can take an open file, and its log, for itself', async () => {
  const { store, projectId, files } = await openAgain()
  await store.project(projectId).write((tx) => tx.insertWorkspace('saved', 1))
  expect([files.control, files.project].map(takeAlone)).toEqual(['database is locked', 'database is locked'])
})

test('nor one that was opened while another thread of the process read it, as a backup does', async () => {
  const { store, projectId, files } = await openAgain()
  await store.besideReader(async () => {
    using reader = new Database(files.project)
    expect(reader.query('select count(*) from records').values()).toEqual([[1]])
    expect(await store.project(projectId).countWorkspaces()).toBe(1)
  })
  expect(takeAlone(files.project)).toBe('database is locked')
})
