import { expect, test } from 'bun:test'
import { restoreRecord } from '../../src/memory/records/trash/restore.ts'
import { verifyRecord } from '../../src/memory/records/verify.ts'
import { toActor } from '../builders/organization.ts'
import { startService } from '../start-service.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

type Named = { id: string; content: string }
type Saved = {
  id: string
  status: string
  source_hash?: string
  created: boolean
  refreshed: boolean
  made_stale: number
  superseded: Named[]
  conflicts_with: Named[]
}
type Found = {
  id: string
  content: string
  fact_key: string
  status: string
  score: number
  stale?: boolean
  superseded_by?: string
  conflicts_with?: string[]
}
type Forgotten = { forgotten: number; ids: string[]; verified: number; current_again: Named[] }

/** Three assistants of one project, each with a key of a member of its own, and the person who verifies. */
async function startTeam() {
  const running = await startService()
  const { service, org, project, owner, as, pass } = running
  const [ben, cleo] = [await org.addMember('Ben'), await org.addMember('Cleo')]
  const assistants = { ada: running.call, ben: as(await org.keyOf(ben)).call, cleo: as(await org.keyOf(cleo)).call }
  type Name = keyof typeof assistants
  const call = async <Result>(who: Name, tool: string, args: Record<string, unknown>) => {
    pass(1000)
    const { isError, text, structured } = await assistants[who](tool, args)
    if (isError || structured === undefined) throw new Error(text)
    return structured.result as Result
  }
  return {
    pass,
    remember: (who: Name, content: string, more: Record<string, unknown> = {}) =>
      call<Saved>(who, 'remember', { content, ...more }),
    search: (who: Name, query: string, more: Record<string, unknown> = {}) =>
      call<Found[]>(who, 'search', { query, ...more }),
    forget: (who: Name, args: Record<string, unknown>) => call<Forgotten>(who, 'forget', args),
    validate: (who: Name, args: Record<string, unknown>) =>
      call<{ fresh: number; stale: number; records: { id: string; freshness: string }[] }>(
        who,
        'validate_memory',
        args,
      ),
    refusal: async (who: Name, tool: string, args: Record<string, unknown>) => (await assistants[who](tool, args)).text,
    verify: async (id: string) => {
      pass(1000)
      return verifyRecord(service, await toActor(service, owner), { projectId: project.id, id })
    },
    restore: async (id: string) => restoreRecord(service, await toActor(service, owner), { projectId: project.id, id }),
  }
}

const idsOf = (records: { id: string }[]) => records.map(({ id }) => id)

test('a file that is read again refreshes what is still there, whoever reads it, and makes stale only what is gone', async () => {
  const { remember, search, forget, validate, refusal, pass } = await startTeam()
  const read = (who: 'ada' | 'ben', content: string, source_hash: string) =>
    remember(who, content, { source_id: 'docs/deploy.md', source_hash })
  const region = await read('ada', 'Deploys go to Frankfurt.', 'v1')
  const window = await read('ada', 'Deploys happen on Tuesdays.', 'v1')
  expect([region.made_stale, window.made_stale]).toEqual([0, 0])

  pass(HOUR_MS)
  expect(await read('ben', 'Deploys  go to Frankfurt', 'v2')).toMatchObject({
    id: region.id,
    created: false,
    refreshed: true,
    source_hash: 'v2',
    made_stale: 1,
  })
  const moved = await read('ben', 'Deploys happen on Mondays.', 'v2')
  expect(moved).toMatchObject({ created: true, made_stale: 0 })
  expect((await search('ada', 'deploys')).map(({ id, stale = false }) => [id, stale]).sort()).toEqual(
    [
      [region.id, false],
      [window.id, true],
      [moved.id, false],
    ].sort(),
  )

  // Ada's client did not see the answer to Ben's state, and tries an older save again.
  expect(await read('ben', 'Deploys happen on Mondays.', 'v2')).toMatchObject({
    id: moved.id,
    created: false,
    refreshed: false,
  })
  pass(MINUTE_MS)
  expect(await read('ada', 'Deploys go to Frankfurt', 'v3')).toMatchObject({
    id: region.id,
    refreshed: true,
    made_stale: 1,
  })
  expect(await read('ben', 'Deploys go to Frankfurt.', 'v2')).toMatchObject({
    id: region.id,
    refreshed: false,
    source_hash: 'v3',
  })
  expect(await validate('cleo', { source_id: 'docs/deploy.md' })).toMatchObject({
    current_hash: 'v3',
    fresh: 1,
    stale: 2,
  })
  pass(11 * MINUTE_MS)
  expect(await read('ben', 'Deploys go to Frankfurt.', 'v2')).toMatchObject({
    id: region.id,
    refreshed: true,
    source_hash: 'v2',
    made_stale: 0,
  })

  expect((await validate('cleo', { source_id: 'docs/deploy.md' })).records[0]).toMatchObject({
    id: window.id,
    freshness: 'stale',
  })
  expect(await forget('cleo', { source_id: 'docs/deploy.md', stale: true })).toMatchObject({
    forgotten: 1,
    ids: [window.id],
    verified: 0,
  })
  expect(await refusal('cleo', 'forget', { source_id: 'docs/deploy.md', stale: true })).toEndWith(
    "no stale records of source 'docs/deploy.md'",
  )
  await remember('cleo', 'elsewhere', { source_id: 'docs/deploy.md', workspace: 'attic' })
  await forget('cleo', { source_id: 'docs/deploy.md' })
  expect(await refusal('ada', 'validate_memory', { source_id: 'docs/deploy.md' })).toBe(
    "Error executing tool validate_memory: no records of source 'docs/deploy.md'; there are some in the workspace 'attic'",
  )
  expect(await refusal('ada', 'validate_memory', { source_id: 'nothing.md' })).toBe(
    "Error executing tool validate_memory: no records of source 'nothing.md'",
  )
})

test('a key that search shows can be used to correct, and forgetting a correction brings back what held before', async () => {
  const { remember, search, forget, restore } = await startTeam()
  const derived = [
    await remember('ada', 'The office is in the old mill, by the river'),
    await remember('ben', 'The office is in the old brewery'),
  ]
  const [{ fact_key }] = (await search('cleo', 'office')) as [Found]
  expect(fact_key).toBe('the-office-is-in-the-old')
  const given = await remember('cleo', 'The office is in the tower', { fact_key: ' The-Office-is-in-the-OLD' })
  expect(idsOf(given.superseded).sort()).toEqual(idsOf(derived).sort())
  const b = await remember('ada', 'The office is in the station', { fact_key })
  const c = await remember('ben', 'The office is in the harbour', { fact_key })
  expect([idsOf(b.superseded), idsOf(c.superseded)]).toEqual([[given.id], [b.id]])

  expect((await forget('ada', { id: b.id })).current_again).toEqual([])
  for (const { superseded_by } of await search('ada', 'office'))
    expect([undefined, given.id, c.id]).toContain(superseded_by)
  expect((await forget('ben', { id: c.id })).current_again).toEqual([
    { id: given.id, content: 'The office is in the tower' },
  ])
  expect(idsOf((await forget('cleo', { id: given.id })).current_again).sort()).toEqual(idsOf(derived).sort())
  await restore(c.id)
  expect((await search('cleo', 'office')).filter(({ status }) => status !== 'superseded')).toMatchObject([{ id: c.id }])
  await restore(given.id)
  expect((await search('cleo', 'office')).filter(({ status }) => status !== 'superseded')).toMatchObject([{ id: c.id }])
  for (const { status, superseded_by } of await search('cleo', 'office'))
    expect(superseded_by === undefined).toBe(status !== 'superseded')
})

test('what a person verified stands before what assistants say against it, until a person decides otherwise', async () => {
  const { remember, search, forget, verify, restore } = await startTeam()
  const right = await remember('ada', 'VAT is 19 percent', { fact_key: 'vat.rate' })
  await verify(right.id)
  const wrong = await remember('ben', 'VAT is 99 percent, VAT is 99 percent', { fact_key: 'VAT.Rate' })
  expect(wrong).toMatchObject({ superseded: [], conflicts_with: [{ id: right.id }] })
  expect(await search('cleo', 'VAT 99 percent', { limit: 1 })).toMatchObject([{ id: right.id, status: 'verified' }])
  expect(await search('cleo', 'VAT 99 percent')).toMatchObject([
    { id: right.id },
    { id: wrong.id, conflicts_with: [right.id] },
  ])

  const newer = await remember('cleo', 'VAT is 21 percent', { fact_key: 'vat.rate' })
  expect(idsOf(newer.superseded)).toEqual([wrong.id])
  await verify(newer.id)
  expect(await search('ada', 'VAT percent')).toContainEqual(
    expect.objectContaining({ id: right.id, status: 'superseded', superseded_by: newer.id }),
  )
  expect(await forget('ben', { id: newer.id })).toMatchObject({ forgotten: 1, verified: 1 })
  expect((await search('ada', 'VAT percent')).map(({ id, status }) => [id, status])).toEqual([
    [right.id, 'verified'],
    [wrong.id, 'unverified'],
  ])
  await restore(newer.id)
  const standing = new Map((await search('ada', 'VAT percent')).map(({ id, status }) => [id, status]))
  expect([standing.get(newer.id), standing.get(right.id), standing.get(wrong.id)]).toEqual([
    'verified',
    'superseded',
    'superseded',
  ])
})

test('the same said with other blanks or without a full stop is one record, and of nobody else where it has no source', async () => {
  const { remember } = await startTeam()
  const { id } = await remember('ada', 'pnpm is used for every package.')
  for (const again of ['  pnpm is used for every package', 'pnpm  is used\nfor every package.']) {
    expect(await remember('ada', again)).toMatchObject({ id, created: false, refreshed: false })
  }
  expect(await remember('ben', 'pnpm is used for every package')).toMatchObject({ created: true })
  expect(await remember('ada', 'pnpm is used for every package!')).toMatchObject({ created: true })
})
