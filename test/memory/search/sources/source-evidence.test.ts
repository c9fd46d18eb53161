import { expect, test } from 'bun:test'
import { authenticate } from '../../../../src/account/auth/authenticate.ts'
import { type Explained, explainSearch } from '../../../../src/memory/search/explain.ts'
import type { QueryPostings } from '../../../../src/memory/search/postings.ts'
import { createSearchCaches } from '../../../../src/memory/search/search.ts'
import { addPart, createSourceMap, viewSources } from '../../../../src/memory/search/sources/record-sources.ts'
import { weighSources } from '../../../../src/memory/search/sources/source-evidence.ts'
import { createCalls, makeOrganizations } from '../../../builders/planned-organizations.ts'
import { startService } from '../../../start-service.ts'

type Call = Awaited<ReturnType<typeof startService>>['call']
type Note = { content: string; source_id?: string; scope?: string; workspace?: string }

/** Enough other records that the index of the store is asked and not only memory. */
const fillers = (count: number): Note[] =>
  Array.from({ length: count }, (_, at) => ({ content: `filler note number ${at} of many` }))

async function rememberAll(call: Call, notes: Note[]): Promise<string[]> {
  const ids: string[] = []
  for (const note of notes) {
    const { text } = await call('remember', note)
    ids.push(JSON.parse(text).result.id)
  }
  return ids
}

async function find(call: Call, query: string, args: object = {}): Promise<{ content: string; score: number }[]> {
  const result: { content: string; score: number }[] = JSON.parse(
    (await call('search', { query, ...args })).text,
  ).result
  return result.map(({ content, score }) => ({ content, score }))
}

/** Two records say the same of a harbour; those beside the first of them, but not next to it, speak of it too. */
const HARBOUR: Note[] = [
  { content: 'the crane stood still', source_id: 'harbour.md' },
  { content: 'coffee was cold', source_id: 'harbour.md' },
  { content: 'nobody came', source_id: 'harbour.md' },
  { content: 'a crane was painted', source_id: 'harbour.md' },
  { content: 'crane drivers met', source_id: 'harbour.md' },
]
const ZOO: Note[] = [
  { content: 'the crane stood still', source_id: 'zoo.md' },
  { content: 'lions slept', source_id: 'zoo.md' },
  { content: 'bears ate', source_id: 'zoo.md' },
]

for (const size of [0, 100]) {
  test(`of two records that match alike the one comes first whose source has more that match, beside ${size} others`, async () => {
    const { call } = await startService()
    await rememberAll(call, [...HARBOUR, ...ZOO, ...fillers(size)])
    const all = await find(call, 'crane still', { limit: 50 })
    const [harbour, zoo] = all.filter(({ content }) => content === 'the crane stood still')
    const { structured } = await call('search', { query: 'crane still', limit: 1 })
    expect(structured?.result).toMatchObject([{ source_id: 'harbour.md', content: 'the crane stood still' }])
    expect(harbour?.score).toBeGreaterThanOrEqual(zoo?.score ?? 1)
  })

  test(`where there is one source, or none, it changes no score, beside ${size} others`, async () => {
    const scores = async (notes: Note[]) => {
      const { call } = await startService()
      await rememberAll(call, [...notes, ...fillers(size)])
      return find(call, 'crane drivers', { limit: 2 })
    }
    // Apart by a record without a source, they are no neighbours either.
    const apart = [HARBOUR[4], { content: 'x' }].filter((note) => note !== undefined)
    expect(await scores(apart)).toEqual(await scores(apart.map(({ content }) => ({ content }))))
  })

  test(`a draft of somebody else changes no score by its source, beside ${size} others`, async () => {
    const { service } = await startService()
    const plan = {
      departments: [undefined, undefined, undefined],
      keys: [0, 1].flatMap((project) => [0, 1].map((holder) => ({ project, holder }))),
    }
    const { people } = await makeOrganizations(service, plan)
    const call = createCalls(service)
    const [reader, writer, otherReader, otherWriter] = people
    if (!reader || !writer || !otherReader || !otherWriter) throw new Error('four keys were planned')
    const answers = []
    for (const [one, other, hidden] of [
      [reader, writer, true],
      [otherReader, otherWriter, false],
    ] as const) {
      for (const note of [...HARBOUR, ...ZOO, ...fillers(size)]) await call(one, 'remember', note)
      const secret = ['crane crane', 'the crane flew', 'still a crane'].flatMap((content): Note[] => [
        { content, source_id: 'zoo.md', scope: 'draft' },
        { content, source_id: 'hidden.md', scope: 'draft' },
      ])
      if (hidden) for (const note of secret) await call(other, 'remember', note)
      const { text } = await call(one, 'search', { query: 'crane still', limit: 20 })
      answers.push(
        JSON.parse(text).result.map(({ content, source_id, score }: Record<string, unknown>) => ({
          content,
          source_id,
          score,
        })),
      )
      // What the writer sees has them.
      if (hidden) expect((await call(other, 'search', { query: 'crane still', limit: 1 })).text).toContain('crane')
    }
    expect(answers[0]).toEqual(answers[1])
  })
}

test('scores are those of the records that there are, whatever was saved, forgotten and restored between searches', async () => {
  const { call, service, secret } = await startService()
  const caller = await authenticate(service, `Bearer ${secret}`)
  const explain = async (caches = service.searchCaches) =>
    (await explainSearch({ ...service, searchCaches: caches }, caller, { query: 'crane still', limit: 20 })).result.map(
      ({ id, score, source_evidence }: Explained) => ({ id, score, source_evidence }),
    )
  await rememberAll(call, fillers(80))
  const expectAsAnew = async () => expect(await explain()).toEqual(await explain(createSearchCaches()))
  const ids: string[] = []
  for (const note of [...HARBOUR, ...ZOO, { content: 'a crane', source_id: 'harbour.md', workspace: 'attic' }]) {
    ids.push(...(await rememberAll(call, [note])))
    await expectAsAnew()
  }
  expect((await explain())[0]?.source_evidence).toBeGreaterThan(0)
  for (const id of [ids[0], ids[5], ids[4]]) {
    await call('forget', { id })
    await expectAsAnew()
  }
  await call('forget', { source_id: 'harbour.md' })
  await expectAsAnew()
  await rememberAll(call, HARBOUR)
  await expectAsAnew()
  expect((await explain())[0]?.source_evidence).toBeGreaterThan(0)
})

test('a source is worth what BM25 gives it as a document, beside the best one', () => {
  const map = createSourceMap(9)
  const parts = [
    { workspaceId: 1, sourceId: 'a', audience: '*', seqs: [1, 2, 3, 4] },
    { workspaceId: 1, sourceId: 'b', audience: '*', seqs: [5, 6] },
    { workspaceId: 1, sourceId: 'c', audience: 'a:other', seqs: [7] },
    { workspaceId: 2, sourceId: 'b', audience: '*', seqs: [8] },
  ]
  parts.forEach((part, at) => void addPart(map, part, parts[at - 1]))
  const seen = viewSources(map, ['*'], 1)
  expect(seen).toMatchObject({ sources: 2, records: 6 })
  const term = {
    word: 'w',
    name: 'w',
    indexTerms: ['w'],
    form: 1,
    share: 1,
    use: 'rare' as const,
    weight: 3,
    compound: undefined,
    isEnding: false,
    wordings: [0],
  }
  const list = (seqs: number[], isComplete = true) => ({ seqs: Uint32Array.from(seqs), weight: 3, isComplete })
  const postings: QueryPostings = {
    terms: [term, term, term],
    lists: [list([5, 2, 1]), list([6]), list([4, 3], false)],
    unknown: [],
  }
  const evidence = weighSources(postings, seen)
  const bm25 = (tf: number, df: number, size: number) =>
    (Math.log(1 + (2 - df + 0.5) / (df + 0.5)) * tf * 3) / (tf + 2 * (1 - 0.4 + (0.4 * size) / 3))
  const [a, b] = [bm25(2, 2, 4), bm25(1, 2, 2) + bm25(1, 1, 2)]
  expect(b).toBeGreaterThan(a)
  expect(evidence(6)).toBeCloseTo(0.2, 10)
  expect(evidence(3)).toBeCloseTo((0.2 * a) / b, 10)
  expect([evidence(7), evidence(8), evidence(9)]).toEqual([0, 0, 0])
  expect(weighSources(postings, viewSources(map, ['a:other'], 1))(7)).toBe(0)
})
