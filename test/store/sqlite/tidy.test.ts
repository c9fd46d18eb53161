import { Database } from 'bun:sqlite'
import { expect, onTestFinished } from 'bun:test'
import { join } from 'node:path'
import { rejectionOf } from '../../rejection-of.ts'
import { startService } from '../../start-service.ts'
import { embeddedTest } from '../../stored-data.ts'

const fileTest = embeddedTest('looks into files')

const QUESTIONS = ['which note has number 17', 'the colour of 250', 'red']
const COLOURS = ['red', 'green', 'blue']

/**
 * A project whose records were saved one by one, and some of them forgotten; `leaveBelow` so many pieces of a size are
 * not merged as they come.
 */
async function openGrown({ leaveBelow = 4 } = {}) {
  const started = await startService()
  const { service, project, call } = started
  const path = join(service.config.dataDir, 'projects', `${project.id}.db`)
  await service.store.project(project.id).readUsage()
  const writable = new Database(path)
  writable.run(`insert into word_index (word_index, rank) values ('usermerge', ${leaveBelow})`)
  writable.close()
  const save = async (at: number) => {
    const rest = Array.from({ length: 40 }, (_, nth) => `w${at * 40 + nth}`).join(' ')
    const { structured = {} } = await call('remember', {
      content: `note number ${at} has the colour ${COLOURS[at % 3]} of ${at}${at}; ${rest}`,
    })
    return String((structured.result as { id: string }).id)
  }
  const ids: string[] = []
  for (let at = 0; at < 300; at++) ids.push(await save(at))
  for (const id of ids.slice(0, 30)) await call('forget', { id })
  const file = new Database(path, { readonly: true })
  onTestFinished(() => file.close())
  return {
    ...started,
    file,
    save,
    ask: () => Promise.all(QUESTIONS.map(async (query) => (await call('search', { query })).structured)),
    pieces: () => file.query('select distinct segid from word_index_idx').all().length,
    version: () => service.store.project(project.id).version(),
  }
}

fileTest('an index that has grown by pieces becomes one, and answers as before', async () => {
  const { service, project, ask, pieces } = await openGrown({ leaveBelow: 16 })
  const before = await ask()
  expect(pieces()).toBeGreaterThan(1)
  await service.store.tidy()
  expect(pieces()).toBe(1)
  expect(await ask()).toEqual(before)
  expect(await service.store.project(project.id).checkIndex()).toEqual({
    records: 270,
    missing: 0,
    orphaned: 0,
    miscounted: 0,
    sound: true,
  })
})

fileTest('what is saved while the pieces are put together is found', async () => {
  const { service, save, call } = await openGrown()
  const tidying = service.store.tidy()
  for (let at = 1_000; at < 1_010; at++) await save(at)
  await tidying
  const { structured = {} } = await call('search', { query: '10051005' })
  expect(structured.result).toMatchObject([{ content: expect.stringContaining('note number 1005 has') }])
})

fileTest('nothing is written where nobody wrote, or little', async () => {
  const { service, save, version } = await openGrown()
  await service.store.tidy()
  const before = await version()
  await service.store.tidy()
  expect(await version()).toBe(before)
  await save(2_000)
  const after = await version()
  await service.store.tidy()
  expect(await version()).toBe(after)
})

fileTest('what was erased is scrubbed by the next call where one failed in the middle', async () => {
  const { service, project, file, pieces } = await openGrown({ leaveBelow: 16 })
  const store = service.store.project(project.id)
  await store.write((tx) => tx.purgeForgotten(Number.MAX_SAFE_INTEGER, 100))
  const failed = store.scrub(() => {
    throw new Error('killed')
  })
  expect(await rejectionOf(failed)).toBe('killed')
  await store.scrub(() => false)
  expect([pieces(), file.query('pragma user_version').get()]).toEqual([1, { user_version: -1 }])
})

fileTest('what is erased while another call scrubs is scrubbed by the next one where its own failed', async () => {
  const { service, project, file, pieces } = await openGrown({ leaveBelow: 16 })
  const store = service.store.project(project.id)
  const erase = () => store.write((tx) => tx.purgeForgotten(Number.MAX_SAFE_INTEGER, 10))
  const failing = async () => {
    await erase()
    await store.scrub(() => {
      throw new Error('killed')
    })
  }
  await erase()
  let failed: Promise<unknown> | undefined
  await store.scrub(() => {
    failed ??= rejectionOf(failing())
    return false
  })
  expect(await failed).toBe('killed')
  expect(file.query('pragma user_version').get()).toEqual({ user_version: 2 })
  await store.scrub(() => false)
  expect([pieces(), file.query('pragma user_version').get()]).toEqual([1, { user_version: -2 }])
})

fileTest('what is erased while a merge of all pieces is interrupted leaves the index with the next scrub', async () => {
  const { service, project, file } = await openLarge()
  const store = service.store.project(project.id)
  const holds = () => file.query("select 1 from word_index_data where instr(block, cast('aardvark' as blob))").get()
  file.run("insert into word_index (rowid, terms) values (1000000, 'aardvark')")
  file.run('pragma user_version = 1')
  let left = 3
  await store.scrub(() => left-- <= 0)
  file.run('delete from word_index where rowid = 1000000')
  expect(holds()).not.toBeNull()
  await store.scrub(() => false)
  expect(holds()).toBeNull()
})

/** A project whose index has grown by pieces of some 300 pages each. */
async function openLarge() {
  const { service, project, call } = await startService()
  await call('remember', { content: 'makes the file' })
  const file = new Database(join(service.config.dataDir, 'projects', `${project.id}.db`))
  onTestFinished(() => file.close())
  const terms = Array.from({ length: 30 }, (_, at) => `common${at}`).join(' ')
  const insert = file.prepare('insert into word_index (rowid, terms) values (?, ?)')
  // Numbers far apart take more room, so that fewer records do.
  const grow = file.transaction((from: number) => {
    for (let at = from; at < from + 8_000; at++) insert.run(2 + at * 2 ** 30, terms)
  })
  for (let from = 0; from < 24_000; from += 8_000) grow(from)
  return { service, project, file, pieces: () => file.query('select distinct segid from word_index_idx').all().length }
}

fileTest('pieces become one also where the lists of words take many pages each', async () => {
  const { service, pieces } = await openLarge()
  await service.store.tidy()
  expect(pieces()).toBe(1)
})

fileTest('who erases a project does not wait until its pieces are one', async () => {
  const { service, project, pieces } = await openLarge()
  const before = pieces()
  const tidying = service.store.tidy()
  await service.store.eraseProject(project.id)
  await tidying
  expect(pieces()).toBeGreaterThanOrEqual(before)
})

fileTest('pieces are merged as they come, without anybody who puts the store in order', async () => {
  const { pieces } = await openGrown()
  expect(pieces()).toBeLessThan(16)
})

fileTest(
  'FTS5 merges nothing within a save, and rewrites a piece of the index once half of its records are forgotten',
  async () => {
    const { file } = await openGrown()
    const setting = file.query('select v from word_index_config where k = ?')
    expect([setting.get('automerge'), setting.get('deletemerge')]).toEqual([{ v: 0 }, { v: 50 }])
  },
)
