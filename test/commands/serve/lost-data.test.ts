import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Check } from '../../../src/agent/doctor/check.ts'
import { openCli, openStartedCli } from '../../run-cli.ts'
import { dump } from '../../store/sqlite/damage/varied-data.ts'

/** A data folder with one record and a backup of it, `serve` and the problems that `doctor` finds. */
async function open() {
  const cli = await openStartedCli({ environment: { SVC_PORT: '0' } })
  await cli.remember({ content: 'The build listens on port 9090' })
  const control = join(cli.folder, 'control.db')
  const backup = `${cli.folder}.tar.zst`
  expect((await cli.run(['backup', backup])).status).toBe(0)
  const serve = () => cli.run(['serve'], { interrupted: () => Promise.resolve() })
  const problems = async () => {
    const { status, out } = await cli.run(['doctor', '--json'])
    const found = (JSON.parse(out) as Check[]).filter(({ side, state }) => side === 'service' && state === 'problem')
    return { status, details: found.map(({ name, detail }) => `${name}: ${detail}`) }
  }
  return { ...cli, control, backup, serve, problems }
}

const removeAll = (path: string) =>
  ['', '-wal', '-shm'].forEach((suffix) => void rmSync(path + suffix, { force: true }))

test('serve begins no first run where the control file is lost and projects are there; doctor names what is missing', async () => {
  const { control, serve, run, problems, folder, project } = await open()
  removeAll(control)
  const reason = `${control} is missing, and files of projects are there; put it back with its -wal, or restore a backup into another folder and copy the newer files of projects there`
  expect(await serve()).toMatchObject({ status: 1, out: '', err: `memsvc: ${reason}\n` })
  expect(await run(['account', 'list'])).toMatchObject({ status: 1, err: `memsvc: ${reason}\n` })
  expect(await problems()).toEqual({
    status: 1,
    details: [`database: ${reason}`, 'control file: control.db, the file is missing or empty'],
  })
  expect(existsSync(control)).toBe(false)
  writeFileSync(control, '')
  expect((await serve()).err).toBe(`memsvc: ${control} is missing or empty; restore it from a backup\n`)
  expect(readdirSync(join(folder, 'projects'))).toContain(`${project.id}.db`)
})

test('serve begins none where the log of the control file is lost, with all of it or what came after the tables, and leaves the file for its log', async () => {
  const { control, serve, problems } = await open()
  const whole = readFileSync(control)
  removeAll(control)
  using lost = new Database(control)
  lost.run('pragma journal_mode = wal')
  lost.close()
  const empty = readFileSync(control)
  expect((await serve()).err).toBe(`memsvc: ${control} is missing or empty; restore it from a backup\n`)
  expect(readFileSync(control)).toEqual(empty)
  removeAll(control)
  writeFileSync(control, whole)
  using tables = new Database(control)
  for (const table of ['accounts', 'members', 'projects', 'keys', 'entry_links', 'audit', 'access'])
    tables.run(`delete from ${table}`)
  tables.close()
  expect((await serve()).err).toContain(
    `memsvc: ${control} has lost its contents, and files of projects are there; put it back with its -wal`,
  )
  expect((await problems()).status).toBe(1)
})

/** What a restore that is killed after each of its steps leaves in the folder. */
const KILLED: [after: string, (from: string, folder: string) => void][] = [
  ['unpacking', () => {}],
  ['moving the projects', (work, folder) => renameSync(join(work, 'projects'), join(folder, 'projects'))],
  [
    'storing the key',
    (work, folder) => {
      renameSync(join(work, 'projects'), join(folder, 'projects'))
      writeFileSync(join(folder, 'secret.key'), 'ab'.repeat(32))
    },
  ],
]

test.each(KILLED)(
  'a folder whose restore was killed after %s is not served, and the same restore again completes it',
  async (_step, leave) => {
    const { backup, folder: original, project } = await open()
    const { folder, run } = await openCli({ environment: { SVC_PORT: '0' } })
    const work = join(folder, '.restore')
    mkdirSync(join(work, 'projects'), { recursive: true })
    writeFileSync(join(work, 'projects', `${project.id}.db`), 'half of a file')
    leave(work, folder)
    const reason = `a restore into '${folder}' has not ended; run the same 'memsvc restore' again, or remove the folder`
    const serve = () => run(['serve'], { interrupted: () => Promise.resolve() })
    expect(await serve()).toMatchObject({ status: 1, out: '', err: `memsvc: ${reason}\n` })
    expect((await run(['project', 'list'])).err).toBe(`memsvc: ${reason}\n`)
    expect((await run(['doctor'])).out).toContain(reason)
    expect(await run(['restore', backup])).toMatchObject({ status: 0 })
    expect(existsSync(work)).toBe(false)
    expect(dump(join(folder, 'projects', `${project.id}.db`))).toBe(
      dump(join(original, 'projects', `${project.id}.db`)),
    )
    expect((await serve()).status).toBe(0)
  },
)

test('what is not of the interrupted restore is not removed by the next one', async () => {
  const { backup } = await open()
  const { folder, run } = await openCli()
  mkdirSync(join(folder, '.restore'))
  writeFileSync(join(folder, 'mine.txt'), '')
  expect((await run(['restore', backup])).err).toBe(
    `memsvc: the folder '${folder}' is not empty ('mine.txt'); restore into a new one\n`,
  )
  expect(existsSync(join(folder, 'mine.txt'))).toBe(true)
})
