import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openStartedCli } from '../run-cli.ts'

const REINDEX = ['reindex', '--project', 'default']

async function openFilled() {
  const cli = await openStartedCli()
  for (const content of ['The children ran to school', 'We deploy on Tuesday']) await cli.remember({ content })
  const file = join(cli.folder, 'projects', `${cli.project.id}.db`)
  const harm = (sql: string) => {
    const database = new Database(file)
    database.run(sql)
    database.close()
  }
  return { ...cli, harm }
}

test('doctor finds a sound index well', async () => {
  const { run, json } = await openFilled()
  expect(await json(['doctor'])).toContainEqual({
    side: 'service',
    name: "project 'default'",
    state: 'ok',
    detail: '2 records',
  })
  expect(await run(['doctor', '--project', 'default'])).toMatchObject({ status: 0, err: '' })
})

for (const [harmed, sql, sign] of [
  ['lacks an entry', 'delete from word_index where rowid = 1', '2 records, 1 records missing in the index'],
  [
    'has an entry too many',
    "insert into word_index (rowid, terms) values (9, 'x')",
    '2 records, 1 entries of the index without a record',
  ],
  ['counts wrongly', 'update audience_stats set records = 7', '2 records, 2 wrong counts in the index'],
] as const) {
  test(`doctor sees an index that ${harmed}, and reindex mends it`, async () => {
    const { run, json, harm } = await openFilled()
    harm(sql)
    const { status, out } = await run(['doctor', '--json'])
    expect(status).toBe(1)
    expect(JSON.parse(out)).toContainEqual(
      expect.objectContaining({ name: "project 'default'", state: 'problem', detail: expect.stringContaining(sign) }),
    )
    expect(await run(REINDEX)).toMatchObject({ status: 0, out: "rebuilt the index of 'default': 2 records\n" })
    expect(await json(['doctor'])).toContainEqual(expect.objectContaining({ name: "project 'default'", state: 'ok' }))
  })
}

test('reindex leaves every answer as it was', async () => {
  const { run, search } = await openFilled()
  const before = await search('which child ran')
  await run(REINDEX)
  expect(await search('which child ran')).toEqual(before)
  expect(before).toHaveLength(1)
})

/** The score of a share that is covered. */
const toScore = ({ covered, newness }: { covered: number; newness: number }) =>
  1 / (1 + 1 / ((2 * covered) ** 4 * newness))

test('explains a score by what each word contributed', async () => {
  const { json, run } = await openFilled()
  const query = ['search', 'when do we deploy', '--project', 'default', '--explain']
  type Explained = {
    content: string
    score: number
    covered: number
    newness: number
    terms: { word: string; weight: number; with_neighbours: number }[]
  }
  const [first] = (await json<{ result: Explained[] }>(query)).result
  expect(first).toMatchObject({ content: 'We deploy on Tuesday', status: 'unverified', workspace: 'default' })
  const terms = first?.terms ?? []
  expect(terms.find(({ word }) => word === 'deploy')).toMatchObject({ use: 'rare', own: expect.any(Number) })
  const sumOf = (toPart: (term: Explained['terms'][number]) => number) =>
    terms.reduce((total, term) => total + toPart(term), 0)
  const covered =
    sumOf(({ weight, with_neighbours: score }) => Math.min(score, 1.3 * weight)) / sumOf((one) => one.weight)
  expect(first?.covered).toBeCloseTo(covered, 10)
  expect(first?.score).toBeCloseTo(toScore({ covered, newness: first?.newness ?? 0 }), 2)
  const { out } = await run(query)
  expect(out).toContain('We deploy on Tuesday')
  expect(out).toContain('WITH NEIGHBOURS')
})

test('explains what a record gets for its source', async () => {
  const { json, run, remember } = await openFilled()
  for (const content of ['the crane stood still', 'coffee was cold', 'cranes were painted'])
    await remember({ content, source_id: 'harbour.md' })
  await remember({ content: 'a crane flew by', source_id: 'zoo.md' })
  const query = ['search', 'crane still', '--project', 'default', '--explain']
  type Explained = {
    score: number
    covered: number
    newness: number
    source_evidence: number
    terms: { weight: number }[]
  }
  const [first] = (await json<{ result: Explained[] }>(query)).result
  // It is of the best source.
  const weight = (first?.terms ?? []).reduce((total, term) => total + term.weight, 0)
  expect(first?.source_evidence).toBeCloseTo(0.2 * weight, 10)
  expect(first?.score).toBeCloseTo(toScore(first ?? { covered: 0, newness: 0 }), 2)
  expect((await run(query)).out).toContain('(its source)')
})

test('search reads an index made by other rules from the texts, until it is made anew', async () => {
  const { harm, search, remember } = await openFilled()
  for (let at = 0; at < 70; at++) await remember({ content: `note ${at}` })
  const before = await search('which child ran')
  harm("update records set codes = x'c0ffee00'")
  harm('update indexing set rules = 1, target = 1')
  expect(await search('which child ran')).toEqual(before)
  expect(before).toHaveLength(1)
})
