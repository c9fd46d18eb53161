import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Check } from '../../src/agent/doctor/check.ts'
import { openStartedCli } from '../run-cli.ts'

/** A data folder with three projects that were saved into, and what doctor finds in it. */
async function openFolder() {
  const cli = await openStartedCli()
  await cli.remember({ content: 'The build listens on port 9090' })
  const [second, third] = await cli.onOrganization(async (org) => [
    await org.addProject('second'),
    await org.addProject('third'),
  ])
  for (const { id } of [second, third])
    await cli.onService(({ store }) => store.project(id).write((tx) => tx.insertWorkspace('default', 0)))
  const fileOf = ({ id }: { id: string }) => join(cli.folder, 'projects', `${id}.db`)
  const doctor = async (...words: string[]) => {
    const { status, out, err } = await cli.run(['doctor', '--json', ...words])
    const checks = (JSON.parse(out) as Check[]).filter(
      ({ side, name }) => side === 'service' && /file|project|histor/.test(name),
    )
    return { status, err, found: checks.map(({ name, state, detail }) => `${state} ${name}: ${detail}`) }
  }
  return { ...cli, second, third, fileOf, doctor }
}

test('what is whole is told for each file', async () => {
  const { doctor } = await openFolder()
  const { status, found } = await doctor()
  expect([status, ...found]).toEqual([
    0,
    'ok control file: control.db',
    "ok project 'default': 1 record",
    "ok project 'second': 0 records",
    "ok project 'third': 0 records",
  ])
})

test('goes on past projects that cannot be read or have no file, and names each', async () => {
  const { doctor, second, project, fileOf } = await openFolder()
  await writeFile(fileOf(project), 'no database at all, but long enough to be looked at as if it were one')
  await rm(fileOf(second))
  const { status, found, err } = await doctor()
  expect([status, ...found]).toEqual([
    1,
    'ok control file: control.db',
    `problem project 'default': projects/${project.id}.db, ${fileOf(project)} is damaged; restore it from a backup`,
    `problem project 'second': projects/${second.id}.db, the file is missing or empty`,
    "ok project 'third': 0 records",
    ...['shm', 'wal'].map((end) => `warning projects/${second.id}.db-${end}: belongs to no file of memsvc`),
  ])
  expect(err).toContain("memsvc: 2 problems: project 'default', project 'second'")
})

test('checks every project where the control file cannot be read', async () => {
  const { doctor, folder, second } = await openFolder()
  await writeFile(join(folder, 'control.db'), 'no database at all, but long enough to be looked at as if it were one')
  const { status, found } = await doctor()
  expect(status).toBe(1)
  expect(found[0]).toStartWith('problem control file: ')
  expect(found).toContain(`ok project '${second.id}': 0 records`)
})

test('names a file that belongs to no project, one of another project, and one that is no file of ours', async () => {
  const { doctor, folder, second, third, fileOf } = await openFolder()
  await copyFile(fileOf(second), fileOf(third))
  await copyFile(fileOf(second), fileOf({ id: 'stranger' }))
  await writeFile(join(folder, 'projects', 'notes.txt'), '')
  const { status, found } = await doctor()
  expect(status).toBe(1)
  expect(found).toContain(`problem project 'third': 0 records, it is the file of project '${second.id}'`)
  expect(found).toContain(
    `problem project 'stranger': 0 records, the control file knows no such project, it is the file of project '${second.id}'`,
  )
  expect(found).toContain('warning projects/notes.txt: belongs to no file of memsvc')
})

test('a content that was changed behind our back is found, also where no word of it changed', async () => {
  const { doctor, project, fileOf, run } = await openFolder()
  const path = fileOf(project)
  new Database(path).run('pragma wal_checkpoint(truncate)')
  const bytes = await readFile(path)
  bytes[bytes.indexOf('port 9090')] = 'P'.charCodeAt(0)
  await writeFile(path, bytes)
  const { status, found } = await doctor('--project', 'default')
  expect([status, ...found]).toEqual([1, "problem project 'default': 1 record, 1 records whose content was changed"])
  expect((await run(['doctor', '--project', 'default'])).out).toContain(
    'memsvc restore BACKUP --project default --in-place',
  )
})

test('a reference to what is not there is found', async () => {
  const { doctor, folder } = await openFolder()
  const control = new Database(join(folder, 'control.db'))
  control.run("update keys set member_id = 'nobody'")
  control.close()
  const { found } = await doctor()
  expect(found[0]).toBe('problem control file: control.db, 1 rows of keys name members that are not there')
})
