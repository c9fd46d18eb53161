import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { insertRecords } from '../builders/records.ts'
import { openStartedCli } from '../run-cli.ts'
import { embeddedTest } from '../stored-data.ts'

const filesTest = embeddedTest('files of projects')

const PAGE_BYTES = 4_096
const RECORDS = 400

/** A project of many records, some of them long, whose file is closed and whole; `ids` in their order. */
async function open() {
  const cli = await openStartedCli()
  const { project, owner, folder, run } = cli
  const text = (at: number) => `Note ${at}: ${'the build listens on many ports. '.repeat(at % 40 === 0 ? 400 : 5)}`
  const notes = Array.from({ length: RECORDS }, (_, at) => ({
    content: text(at),
    sourceId: at % 3 === 0 ? 'notes.md' : null,
    sourceHash: at % 3 === 0 ? 'h' : null,
  }))
  await cli.onService((service) => insertRecords({ service, project, owner }, notes))
  const forgotten = await cli.onService((service) =>
    service.store.project(project.id).listRecords({ visible: undefined, limit: 3 }),
  )
  for (const { id } of forgotten) await cli.forget({ id })
  const path = join(folder, 'projects', `${project.id}.db`)
  using database = new Database(path)
  database.run('pragma wal_checkpoint(truncate)')
  database.close()
  const exporting = async (...words: string[]) => {
    const { status, out, err } = await run(['export', '--project', project.name, ...words])
    const lines = out.split('\n').filter((line) => line !== '')
    return { status, out, err, ids: lines.map((line) => (JSON.parse(line) as { id: string }).id) }
  }
  const whole = await exporting()
  expect(whole).toMatchObject({ status: 0, err: `${RECORDS - 3} records exported\n` })
  return { ...cli, path, exporting, whole, original: readFileSync(path) }
}

/** The ids that the message of an export names as lost, and how many more there were. */
function toLost(err: string) {
  const [, named = ''] = /could not be read: \d+ records?: ([^;\n]+)/.exec(err) ?? []
  const [, further = '0'] = /(\d+) records? that nothing is left of/.exec(err) ?? []
  return { lost: named.split(', ').filter((id) => id !== ''), further: Number(further) }
}

/** What of a line is only of its record. */
function toRecord(line: string) {
  const {
    workspace: _workspace,
    source_current_hash: _hash,
    source_save_sequence: _saveSequence,
    ...record
  } = JSON.parse(line)
  return JSON.stringify(record)
}

filesTest(
  'wherever a file is damaged, what can be read of it is exported as it was, and what cannot is named',
  async () => {
    const { path, original, exporting, whole } = await open()
    const toRecords = (out: string) => out.trimEnd().split('\n').filter(Boolean).map(toRecord)
    const before = new Set(toRecords(whole.out))
    const pages = original.length / PAGE_BYTES
    const found = { all: 0, most: 0, ids: 0, nothing: 0 }
    for (let page = 2; page < pages; page += 3) {
      const bytes = Buffer.from(original)
      writeFileSync(path, bytes.fill(page % 2 === 0 ? 0xa5 : 0, page * PAGE_BYTES, (page + 1) * PAGE_BYTES))
      const { status, out, ids, err } = await exporting()
      for (const record of toRecords(out)) expect(before.has(record)).toBe(true)
      // A damaged schema leaves nothing that could be named.
      const isLegible = !err.includes('is damaged (')
      const { lost, further } = toLost(err)
      if (isLegible)
        expect([ids.length + lost.length + further, new Set([...ids, ...lost]).size]).toEqual([
          RECORDS - 3,
          ids.length + lost.length,
        ])
      expect(status).toBe(err.includes('could not be read') || !isLegible ? 1 : 0)
      found[!isLegible ? 'nothing' : lost.length === 0 ? 'all' : ids.length > 0 ? 'most' : 'ids'] += 1
    }
    // Few pages lead to all the others.
    expect(found.all).toBeGreaterThan(found.nothing + found.ids)
    expect(found.most).toBeGreaterThan(found.nothing + found.ids)
  },
)

filesTest(
  'of a file that is cut off, what stands before its end is exported, and an import makes it again',
  async () => {
    const { path, original, exporting, whole, run, json } = await open()
    writeFileSync(path, original.subarray(0, Math.floor((original.length / PAGE_BYTES) * 0.7) * PAGE_BYTES))
    const { status, err, ids, out } = await exporting()
    expect([status, err]).toEqual([
      1,
      expect.stringMatching(/memsvc: the project is damaged, and this could not be read: \d+ records: /),
    ])
    expect(ids.length).toBeGreaterThan(RECORDS / 10)
    const { lost, further } = toLost(err)
    expect(ids.length + lost.length + further).toBe(whole.ids.length)
    await run(['project', 'add', 'again'])
    expect(await json(['import', '-', '--project', 'again'], out)).toMatchObject({ saved: ids.length, refused: 0 })
  },
)

filesTest('writes the file that is asked for, and only what is in the workspace that is asked for', async () => {
  const { path, original, exporting, folder } = await open()
  writeFileSync(path, Buffer.from(original).fill(0xa5, 70 * PAGE_BYTES, 90 * PAGE_BYTES))
  const output = join(folder, 'out.jsonl')
  const { status, err } = await exporting('--output', output)
  expect([status, existsSync(output)]).toEqual([1, true])
  const { lost, further } = toLost(err)
  expect(readFileSync(output, 'utf8').trimEnd().split('\n').length + lost.length + further).toBe(RECORDS - 3)
  expect((await exporting('--workspace', 'other')).ids).toEqual([])
  expect((await exporting('--workspace', 'DEFAULT')).ids).toEqual((await exporting()).ids)
})

filesTest('says where nothing can be read, and shows nothing of another project', async () => {
  const { path, original, exporting, onOrganization, run, folder } = await open()
  writeFileSync(path, Buffer.from(original).fill(0xa5, 0, PAGE_BYTES))
  expect(await exporting()).toMatchObject({
    status: 1,
    ids: [],
    err: expect.stringContaining(`memsvc: ${path} is damaged`),
  })
  rmSync(path)
  expect(await exporting()).toMatchObject({
    status: 1,
    err: expect.stringContaining(`memsvc: ${path} is missing or empty`),
  })
  const second = await onOrganization((org) => org.addProject('second'))
  await run(['record', 'save', 'Releases go out on Tuesdays', '--project', 'second'])
  const other = join(folder, 'projects', `${second.id}.db`)
  new Database(other).run('pragma wal_checkpoint(truncate)')
  writeFileSync(path, readFileSync(other))
  expect(await exporting()).toMatchObject({
    status: 1,
    out: '',
    err: expect.stringContaining(`is the file of project '${second.id}'`),
  })
})
