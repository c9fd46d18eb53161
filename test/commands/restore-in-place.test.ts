import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandsBeside, toEnvironment } from '../command-line.ts'
import { startHistories } from '../history/start-histories.ts'
import { claudeLine } from '../history/upload-client.ts'
import { makeFolder } from '../run-cli.ts'
import { embeddedTest } from '../stored-data.ts'
import { waitUntil } from '../wait-until.ts'

const filesTest = embeddedTest('files of projects')

const MAIN = join(import.meta.dir, '../../src/main.ts')
const DAMAGED = 'Error executing tool search: the data of this project is damaged; its operator has to restore it'
const BEFORE = 'The build listens on port 9090'
const AFTER = 'Saved after the backup'

/**
 * A running service with a record, a session history and a backup of both, after which more of both was saved; and the
 * commands beside it.
 */
async function start() {
  const running = await startHistories()
  const { service, project, call, client, sessions, pass } = running
  const { dataDir } = service.config
  const { json, memsvc, refusal } = commandsBeside(service)
  await call('remember', { content: BEFORE })
  await client.append(await client.head(), [claudeLine('u1', 'How do I bake bread?')])
  const backup = join(await makeFolder(), 'backup')
  await json('backup', backup)
  await call('remember', { content: AFTER })
  await client.append(await client.head({ session_id: 'later' }), [claudeLine('u2', 'And after the backup?')])
  const replaced = join(dataDir, 'replaced')
  const contents = async () => {
    const { structured, text } = await call('search', { query: '*' })
    return structured === undefined
      ? text
      : (structured.result as { content: string }[]).map(({ content }) => content).sort()
  }
  return {
    ...running,
    backup,
    json,
    refusal,
    records: join(dataDir, 'projects', `${project.id}.db`),
    histories: join(dataDir, 'projects', `${project.id}.history.db`),
    /** That a file is no longer there is noticed within some milliseconds by who reads. */
    untilDamaged: () => waitUntil('searches are refused', async () => (await contents()) === DAMAGED),
    restore: () => memsvc('restore', backup, '--project', project.name, '--in-place'),
    contents,
    countSessions: async () => (await sessions()).length,
    readiness: async () => {
      pass(1_000)
      return ((await (await fetch(`${running.url}/readyz`)).json()) as { damaged?: string[] }).damaged
    },
    listReplaced: () => readdirSync(replaced).flatMap((name) => readdirSync(join(replaced, name))),
  }
}

/** Overwrites all of a file but its beginning. */
function damage(path: string): void {
  new Database(path).run('pragma wal_checkpoint(truncate)')
  const bytes = readFileSync(path)
  writeFileSync(path, bytes.fill(0xa5, 8_192))
}

const removeAll = (path: string) =>
  ['', '-wal', '-shm'].forEach((suffix) => void rmSync(path + suffix, { force: true }))

filesTest(
  'a damaged project is restored in place while the service runs: the same key finds its records, and whole histories stay',
  async () => {
    const { restore, contents, countSessions, records, readiness, project, listReplaced, json } = await start()
    damage(records)
    expect([await contents(), await readiness()]).toEqual([DAMAGED, [project.id]])
    const { status, out } = await restore()
    expect([status, out]).toEqual([
      0,
      expect.stringMatching(/^restored records of project 'default'; the rest of it was whole, and stays\n/),
    ])
    expect(await readiness()).toBeUndefined()
    expect([await contents(), await countSessions()]).toEqual([[BEFORE], 2])
    expect(listReplaced()).toContain(`${project.id}.db`)
    const lines = await json<{ act: string; details: object }[]>('audit', '--act', 'project.restore')
    expect(lines).toMatchObject([{ details: { in_place: true, records: true, histories: false } }])
  },
)

filesTest('a project whose file is lost is restored in place, and takes saves again', async () => {
  const { restore, contents, records, call, readiness, untilDamaged } = await start()
  removeAll(records)
  await untilDamaged()
  expect((await restore()).status).toBe(0)
  expect(await call('remember', { content: AFTER })).toMatchObject({ isError: false })
  expect([await contents(), await readiness()]).toEqual([[AFTER, BEFORE].sort(), undefined])
})

filesTest('histories that are damaged are restored in place, and whole records stay', async () => {
  const { restore, contents, countSessions, histories } = await start()
  removeAll(histories)
  expect((await restore()).out).toStartWith(
    "restored session histories of project 'default'; the rest of it was whole, and stays\n",
  )
  expect([await contents(), await countSessions()]).toEqual([[AFTER, BEFORE].sort(), 1])
})

filesTest('where nothing is damaged, all of the project is as it was at the time of the backup', async () => {
  const { restore, contents, countSessions, listReplaced, project } = await start()
  expect((await restore()).out).toStartWith("restored records and session histories of project 'default'\n")
  expect([await contents(), await countSessions()]).toEqual([[BEFORE], 1])
  expect(listReplaced()).toEqual(expect.arrayContaining([`${project.id}.db`, `${project.id}.history.db`]))
})

filesTest('histories that were begun after the backup, and are lost, begin anew', async () => {
  const { client, call, service, project, sessions } = await startHistories()
  const { json } = commandsBeside(service)
  await call('remember', { content: BEFORE })
  const backup = join(await makeFolder(), 'backup')
  await json('backup', backup)
  await client.append(await client.head(), [claudeLine('u1', 'How do I bake bread?')])
  removeAll(join(service.config.dataDir, 'projects', `${project.id}.history.db`))
  expect(await json('restore', backup, '--project', project.id, '--in-place')).toMatchObject({
    records: false,
    histories: true,
  })
  expect(await sessions()).toEqual([])
  await client.append(await client.head(), [claudeLine('u1', 'How do I bake bread?')])
  expect(await sessions()).toHaveLength(1)
})

filesTest('a restore of all that is killed between its steps is completed by the same call', async () => {
  const { restore, backup, contents, countSessions, records, histories, listReplaced, project, service } = await start()
  const killed = Bun.spawn([process.execPath, MAIN, 'restore', backup, '--project', project.id, '--in-place'], {
    env: { ...process.env, ...toEnvironment(service.config) },
    stdout: 'ignore',
    stderr: 'ignore',
  })
  await waitUntil('the files are moved away', () => !existsSync(records) && !existsSync(histories))
  killed.kill('SIGKILL')
  await killed.exited
  const { status, out } = await restore()
  expect([status, out]).toEqual([0, expect.stringMatching(/^restored records and session histories of project/)])
  expect([await contents(), await countSessions()]).toEqual([[BEFORE], 1])
  expect(listReplaced()).toEqual(expect.arrayContaining([`${project.id}.db`, `${project.id}.db-wal`]))
})

filesTest(
  'refuses a backup that has not the project, or is of another service, and options that contradict each other',
  async () => {
    const { backup, refusal, json, contents } = await start()
    await json('project', 'add', 'newer')
    const restore = (...words: string[]) => refusal('restore', backup, ...words)
    expect(await restore('--project', 'newer', '--in-place')).toContain('the backup has no project with the id ')
    expect(await restore('--in-place')).toBe('--in-place needs --project <project>')
    expect(await restore('--in-place', '--project', 'default', '--as', 'x')).toBe(
      '--as and --in-place exclude each other',
    )
    expect(await restore('--in-place', '--project', 'default', '--data', 'elsewhere')).toContain(
      '--data does not go with',
    )
    expect(await contents()).toEqual([AFTER, BEFORE].sort())
  },
)
