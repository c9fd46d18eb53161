import { Database } from 'bun:sqlite'
import { expect, onTestFinished, test } from 'bun:test'
import { join } from 'node:path'
import { COMMAND_LINE } from '../../../../src/account/auth/actor.ts'
import { changePolicy } from '../../../../src/account/organizations/policies.ts'
import { moveRecord } from '../../../../src/memory/records/bulk/move.ts'
import { scanRecords } from '../../../../src/memory/rejections/scan-records.ts'
import { reindexProject } from '../../../../src/memory/search/index/reindex.ts'
import type { ProjectStore } from '../../../../src/store/project.ts'
import { ANALYZER_VERSION } from '../../../../src/text/analyzer.ts'
import { countTurns } from '../../../count-turns.ts'
import { startTeam } from '../../../http/console/team.ts'
import { startService } from '../../../start-service.ts'
import { changeProject, embeddedTest, isOnPostgres } from '../../../stored-data.ts'

embeddedTest('writes into the file of a project')(
  'what an older executable makes anew meanwhile is never taken for ours',
  async () => {
    const { service, project, call } = await startService()
    await Promise.all(Array.from({ length: 120 }, (_, at) => call('remember', { content: `note number ${at}` })))
    const file = new Database(join(service.config.dataDir, 'projects', `${project.id}.db`))
    onTestFinished(() => file.close())
    let chunks = 0
    const interfere = () => {
      if (++chunks === 2) file.run("update records set codes = x'c0ffee00' where seq <= 100")
      if (chunks === 2) file.run('update indexing set rules = 0, target = 1, reached = 100')
      return false
    }
    await reindexProject(service.store.project(project.id), interfere)
    const { structured = {} } = await call('search', { query: 'which note has number 7', limit: 1 })
    expect(structured.result).toMatchObject([{ content: 'note number 7' }])
  },
)

test('what the index lacks is in it again, and what is in a wrong place no more', async () => {
  const { service, project, call } = await startService()
  for (const content of ['the well is deep', 'the mill turns']) await call('remember', { content })
  const records = service.store.project(project.id)
  const damages = isOnPostgres
    ? ["delete from posting_lists where term = 'well'", "update posting_lists set term = 'mile' where term = 'mill'"]
    : ['delete from word_index where rowid = 1']
  for (const damage of damages) {
    await changeProject(service.config, project.id, damage)
    await reindexProject(records)
    expect(await records.checkIndex()).toEqual({ records: 2, missing: 0, orphaned: 0, miscounted: 0, sound: true })
  }
})

test('an entry by other rules than the index was made by has it made anew at the next start', async () => {
  const { service, project, call } = await startService()
  const records = service.store.project(project.id)
  await call('remember', { content: 'the well is deep' })
  const before = (await records.readIndexFacts([], undefined)).indexing
  expect(before).toMatchObject({ rules: ANALYZER_VERSION, target: ANALYZER_VERSION })
  await records.write((tx) =>
    tx.saveIndexing({ rules: ANALYZER_VERSION + 1, target: ANALYZER_VERSION + 1, reached: 0 }),
  )
  await call('remember', { content: 'the mill turns' })
  expect((await records.readIndexFacts([], undefined)).indexing).toMatchObject({
    rules: 0,
    target: ANALYZER_VERSION + 1,
  })
})

test('others are served while the entries of long records are made anew', async () => {
  const { service, project, call } = await startService()
  for (let at = 0; at < 30; at++) await call('remember', { content: `the well number ${at} is deep `.repeat(1_000) })
  const stop = countTurns()
  expect(await reindexProject(service.store.project(project.id))).toBe(30)
  expect(stop()).toBeGreaterThan(6)
})

embeddedTest('writes into the index of a file, as older executables did')(
  'a draft that older rules put among everyone’s words is found by its author alone, before and after it is made anew',
  async () => {
    const { service, project, call, ben, save } = await startTeam()
    await Promise.all(Array.from({ length: 100 }, (_, at) => call('remember', { content: `note number ${at}` })))
    await save('the lantarn of Ben', { scope: 'draft' }, 'ben')
    const records = service.store.project(project.id)
    const [draft] = await records.listRecords({ visible: [`a:${ben.member.id}`] })
    const file = new Database(join(service.config.dataDir, 'projects', `${project.id}.db`))
    onTestFinished(() => file.close())
    const mark = `\ue0001va${ben.member.id.replaceAll('-', '')}`
    file.run('delete from word_index where rowid = ?', [draft?.seq ?? 0])
    file.run('insert into word_index (rowid, terms) values (?, ?)', [draft?.seq ?? 0, `the lantarn of ben ${mark}`])
    file.run('update indexing set rules = 4, target = 4')
    const find = async (who: typeof call, query: string) => {
      const { structured = {} } = await who('search', { query })
      return (structured.result as unknown[]).length
    }
    const answers = async () => [
      await find(ben.call, 'lantarn'),
      await find(ben.call, 'lantern'),
      await find(call, 'lantarn'),
      await find(call, 'lantern'),
    ]
    expect(await answers()).toEqual([1, 1, 0, 0])
    await reindexProject(records)
    expect(await answers()).toEqual([1, 1, 0, 0])
  },
)

/** A project in which something is saved right before the `nth` write of an act. */
function withPhraseBefore(nth: number, project: ProjectStore, save: () => Promise<unknown>): ProjectStore {
  let writes = 0
  return {
    ...project,
    write: async (act, texts) => {
      writes += 1
      if (writes === nth) await save()
      return project.write(act, texts)
    },
  }
}

test('a phrase that a record gets while its entry is made anew, moved or masked stays', async () => {
  const { service, account, project, call } = await startService()
  const content = 'Releases go out on Tuesdays at nine.'
  const { structured = {} } = await call('remember', { content })
  const { id } = structured.result as { id: string }
  // Enough others that the index is asked and not only memory.
  for (let at = 0; at < 100; at++) await call('remember', { content: `note ${at}` })
  const store = service.store.project(project.id)
  const savePhrase =
    (phrase: string, of = content) =>
    () =>
      call('remember', { content: of, asked_as: [phrase] })
  await reindexProject(withPhraseBefore(2, store, savePhrase('quokka')))
  expect((await call('search', { query: 'quokka' })).text).toContain(content)
  const moving = withPhraseBefore(1, store, savePhrase('wombat'))
  const beside = { ...service, store: { ...service.store, project: () => moving } }
  await moveRecord(beside, COMMAND_LINE, { projectId: project.id, id, workspace: 'other' })
  expect((await call('search', { query: 'wombat', workspace: 'other' })).text).toContain(content)
  await changePolicy(service, COMMAND_LINE, { account, kind: 'credentials', policy: 'allow' })
  const secret = `CI pushes with ghp_${'7aB3cD5eF9'.repeat(4).slice(0, 36)}`
  await call('remember', { content: secret })
  const masking = withPhraseBefore(1, store, savePhrase('numbat', secret))
  await scanRecords(masking, { isMasking: true, found: () => {} })
  expect((await call('search', { query: 'numbat' })).text).toContain('CI pushes with ***')
})
