import { expect, test } from 'bun:test'
import { listSources } from '../../../src/memory/sources/list-sources.ts'
import { startService } from '../../start-service.ts'

type Found = {
  id: string
  workspace: string
  content: string
  score: number
  stale: boolean
  author: string
  expires_at?: string
  excerpt?: true
}
type Hint = {
  words_not_found?: string[]
  other_workspaces?: string[]
  left_out?: object
  advice?: string
  workspace?: string
}
type Answer = { result: Found[]; more?: boolean; next_offset?: number; hint?: Hint }
type Call = Awaited<ReturnType<typeof startService>>['call']

async function searchWith(call: Call, query: string, args: object = {}): Promise<Answer> {
  const { structured, text, isError } = await call('search', { query, ...args })
  if (isError) throw new Error(text)
  return structured as Answer
}

const contentsOf = ({ result }: Answer) => result.map(({ content }) => content)

async function save(call: Call, content: string, args: object = {}): Promise<string> {
  const { structured, isError, text } = await call('remember', { content, ...args })
  if (isError) throw new Error(text)
  return (structured as { result: { id: string } }).result.id
}

/** Enough other records that the index is asked and not only memory. */
async function fill(call: Call, count: number, args: object = {}): Promise<void> {
  for (let at = 0; at < count; at++) await save(call, `filler entry ${at} of many`, args)
}

/** Every page, from the first to the one that says that there are no more. */
async function readPages(call: Call, query: string, args: object): Promise<Found[]> {
  const found: Found[] = []
  for (let offset: number | undefined = 0; offset !== undefined; ) {
    const page: Answer = await searchWith(call, query, { ...args, offset })
    found.push(...page.result)
    expect(page.next_offset).toBe(page.more ? offset + page.result.length : undefined)
    offset = page.next_offset
  }
  return found
}

for (const size of [0, 100]) {
  const beside = `beside ${size} others`

  test(`finds a record by its id, its fact key, its source and the end of that before all others, ${beside}`, async () => {
    const { call } = await startService()
    const id = await save(call, 'the harbour lamp is blue', { source_id: 'docs/lamps/Blue lamp.md' })
    await save(call, 'lamp.color lamp.color is what we call the lamp.color key')
    await save(call, 'it is green', { fact_key: 'lamp.color' })
    await save(call, 'see docs/lamps/Blue lamp.md and docs/lamps/Blue lamp.md again, and blue lamp.md')
    await save(call, `the record ${id} was discussed, ${id} and ${id}`)
    await fill(call, size)
    const first = async (query: string) => (await searchWith(call, query)).result[0]
    expect(await first('lamp.color')).toMatchObject({ content: 'it is green', score: 1 })
    for (const query of [
      id,
      id.toUpperCase(),
      ' docs/lamps/Blue lamp.md ',
      'Blue lamp.md',
      'blue LAMP.md',
      'lamps/Blue lamp.md',
    ]) {
      expect(await first(query)).toMatchObject({ content: 'the harbour lamp is blue', score: 1 })
    }
    const { result } = await searchWith(call, 'Blue lamp.md')
    expect(result.length).toBeGreaterThan(1)
    expect(result.map(({ score }) => score)).toEqual(result.map(({ score }) => score).toSorted((a, b) => b - a))
    expect(new Set(result.map((one) => one.id)).size).toBe(result.length)
  })

  test(`lists the last saved first and pages through them, ${beside}`, async () => {
    const { call, pass } = await startService()
    const saved: string[] = []
    for (let at = 0; at < size + 7; at++) {
      pass(at % 3)
      const content = `note ${at}`
      await save(call, content)
      saved.unshift(content)
    }
    const { result, more, next_offset, hint } = await searchWith(call, '*', { limit: 3 })
    expect([result.map(({ content }) => content), more, next_offset, hint]).toEqual([
      saved.slice(0, 3),
      true,
      3,
      undefined,
    ])
    expect((await readPages(call, ' * ', { limit: 5 })).map(({ content }) => content)).toEqual(saved)
    const whole = await searchWith(call, '*', {
      limit: Math.min(50, saved.length),
      offset: Math.max(0, saved.length - 50),
    })
    expect([whole.more, whole.next_offset, whole.result.length]).toEqual([
      undefined,
      undefined,
      Math.min(50, saved.length),
    ])
    expect(await searchWith(call, '*', { offset: 999_999 })).toMatchObject({
      result: [],
      hint: { advice: expect.stringContaining('offset is behind') },
    })
  })

  test(`pages of words follow one another without a gap or a repetition, with falling scores, ${beside}`, async () => {
    const { call } = await startService()
    await fill(call, size)
    for (let at = 0; at < size + 12; at++) {
      await save(
        call,
        `lantern ${'and '.repeat(at % 5)} ${at}`,
        at % 4 === 0 ? { source_id: 'book', source_hash: `${at}` } : {},
      )
    }
    const found = await readPages(call, 'lantern', { limit: 7 })
    expect(new Set(found.map(({ id }) => id)).size).toBe(size + 12)
    expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).toSorted((a, b) => b - a))
    expect(await readPages(call, 'lantern', { limit: 50 })).toEqual(found)
    const fresh = await readPages(call, 'lantern', { limit: 9, exclude_stale: true })
    expect(new Set(fresh.map(({ id }) => id)).size).toBe(fresh.length)
    expect(fresh.map(({ id }) => id).sort()).toEqual(
      found
        .filter(({ stale }) => !stale)
        .map(({ id }) => id)
        .sort(),
    )
  })

  test(`an answer without a limit leaves much weaker records to the next page, never of the first five, ${beside}`, async () => {
    const { call } = await startService()
    await fill(call, size)
    const saved = ['brass lantern of the harbour', 'brass lantern on the pier']
    for (let at = 0; at < 9; at++)
      saved.push(`a note number ${at} that is long and says much of one lantern and not more`)
    for (const content of saved) await save(call, content)
    const query = 'brass lantern'
    const first = await searchWith(call, query)
    expect(contentsOf(first).slice(0, 2).sort()).toEqual(saved.slice(0, 2))
    expect([first.result.length, first.more, first.next_offset]).toEqual([5, true, 5])
    const rest = await searchWith(call, query, { offset: 5 })
    expect([...contentsOf(first), ...contentsOf(rest)].sort()).toEqual(saved.toSorted())
    expect((await searchWith(call, query, { limit: 10 })).result).toHaveLength(10)
    expect((await searchWith(call, 'lantern')).result).toHaveLength(10)
    expect((await searchWith(call, '*')).result).toHaveLength(10)
  })

  test(`narrows words and lists by source, fact key, status, author and time, ${beside}`, async () => {
    const { call, pass } = await startService()
    await fill(call, size)
    await save(call, 'lantern one', { source_id: 'a.md' })
    pass(24 * 60 * 60 * 1_000)
    await save(call, 'lantern two', { source_id: 'docs/a.md', fact_key: 'lamp' })
    pass(24 * 60 * 60 * 1_000)
    await save(call, 'lantern three', { fact_key: 'lamp' })
    const days = ['2026-01-15', '2026-01-16', '2026-01-17']
    for (const query of ['lantern', '*']) {
      const find = async (args: object) =>
        contentsOf(await searchWith(call, query, { limit: 50, ...args }))
          .filter((one) => one.includes('lantern'))
          .sort()
      expect(await find({ source_id: 'a.md' })).toEqual(['lantern one'])
      expect(await find({ fact_key: 'lamp' })).toEqual(['lantern three', 'lantern two'])
      expect(await find({ status: 'superseded' })).toEqual(['lantern two'])
      expect(await find({ status: 'verified' })).toEqual([])
      expect(await find({ author: 'owner', source_id: 'a.md' })).toEqual(['lantern one'])
      expect(await find({ author: 'Nobody' })).toEqual([])
      expect(await find({ since: days[1] })).toEqual(['lantern three', 'lantern two'])
      expect(await find({ since: `${days[1]}T12:00:00Z`, until: days[1] })).toEqual(['lantern two'])
      expect(await find({ since: `${days[1]}T12:00:01Z`, until: days[1] })).toEqual([])
      expect(await find({ until: `${days[0]}T12:00:00.000Z`, source_id: 'a.md' })).toEqual(['lantern one'])
      expect(await find({ until: '2026-01-14' })).toEqual([])
      expect(await find({ source_id: 'a.md', fact_key: 'lamp' })).toEqual([])
      expect(
        await find({
          workspace: null,
          scope: null,
          source_id: null,
          fact_key: 'lamp',
          author: null,
          status: null,
          since: null,
          until: null,
          offset: null,
          exclude_stale: null,
        }),
      ).toHaveLength(2)
    }
  })

  test(`until the time that a result shows includes the result, ${beside}`, async () => {
    const { call, pass } = await startService()
    await fill(call, size)
    pass(250)
    await save(call, 'the lantern is green')
    for (const query of ['lantern', '*']) {
      const find = async (until: string) => (await searchWith(call, query, { limit: 1, until })).result
      expect(await find('2026-01-15T12:00:00Z')).toMatchObject([{ content: 'the lantern is green' }])
      expect(await find('2026-01-15T12:00:00.249Z')).not.toMatchObject([{ content: 'the lantern is green' }])
    }
  })

  test(`searches every workspace at once, and names others that would have answered, ${beside}`, async () => {
    const { call } = await startService()
    await fill(call, size)
    await save(call, 'the door is red')
    await save(call, 'the lantern is green', { workspace: 'attic' })
    await save(call, 'the lantern is blue', { workspace: 'cellar' })
    const found = await searchWith(call, 'lantern', { workspace: '*' })
    expect(found.result.map(({ workspace, content }) => [workspace, content]).sort()).toEqual([
      ['attic', 'the lantern is green'],
      ['cellar', 'the lantern is blue'],
    ])
    expect(
      (await searchWith(call, '*', { workspace: '*', limit: 2 })).result.map(({ workspace }) => workspace),
    ).toEqual(['cellar', 'attic'])
    const empty = await searchWith(call, 'lantern')
    expect(empty).toMatchObject({
      result: [],
      hint: { workspace: 'default', other_workspaces: ['attic', 'cellar'], words_not_found: ['lantern'] },
    })
    const better = await searchWith(call, 'lantern blue', { workspace: 'attic' })
    expect(better.result).toHaveLength(1)
    expect(better.hint).toMatchObject({
      words_not_found: ['blue'],
      other_workspaces: ['cellar'],
      advice: expect.stringContaining("'*'"),
    })
    expect((await searchWith(call, 'lantern blue', { workspace: 'cellar' })).hint).toBeUndefined()
    expect((await searchWith(call, 'lantern', { workspace: 'attic' })).hint).toBeUndefined()
    expect((await searchWith(call, 'submarine', { workspace: '*' })).hint).toMatchObject({
      workspace: '*',
      words_not_found: ['submarine'],
    })
    expect((await searchWith(call, 'submarine')).hint?.other_workspaces).toBeUndefined()
    const source = await searchWith(call, '*', { source_id: 'nowhere' })
    expect(source.hint).toMatchObject({ left_out: { stale: 0, other_scope: 0, other: size > 0 ? 50 : 1 } })
  })

  test(`names the words that no record holds, ${beside}`, async () => {
    const { call } = await startService()
    await fill(call, size)
    await save(call, 'we deploy with helm on Tuesdays')
    await save(call, '我们把数据库放在法兰克福')
    await save(call, 'commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b fixed getUserById')
    const unknown = async (query: string) => (await searchWith(call, query)).hint?.words_not_found
    expect(await unknown('How do we deploy Kubernetes with zeppelins?')).toEqual(['kubernetes', 'zeppelins'])
    expect(await unknown('deploying on tuesday')).toBeUndefined()
    expect(await unknown('Tuesdsay deploy')).toEqual(['tuesdsay'])
    expect(await unknown('数据库 在哪里')).toEqual(['在哪里'])
    expect(await unknown('commit 9f86d08')).toBeUndefined()
    expect(await unknown('getUserById')).toBeUndefined()
    expect(await unknown('getCustomerById')).toEqual(['getCustomerById'])
    await save(call, 'the cache has no user, the queue has a host')
    await save(call, 'ask for the user by the name of the queue')
    expect(await unknown('Who calls user::queue()?')).toEqual(['calls'])
    expect(await unknown('Who calls host::cache::name()?')).toEqual(['calls', 'host::cache::name'])
    expect(await unknown('是什么')).toEqual(['是什么'])
    expect(await unknown('数据库是什么')).toBeUndefined()
  })
}

test('says where paging through words ends', async () => {
  const { call } = await startService()
  const { isError, text } = await call('search', { query: 'a', offset: 1_001 })
  expect([isError, text]).toEqual([
    true,
    'Error executing tool search: offset must be at most 1000 where query is words',
  ])
})

test('refuses wrong arguments by their names', async () => {
  const { call } = await startService()
  await save(call, 'one note')
  const refused = async (args: object) => {
    const { isError, text } = await call('search', { query: 'note', ...args })
    return isError ? text.replace('Error executing tool search: ', '') : undefined
  }
  const time = 'must be an ISO 8601 date or time, such as 2027-01-31 or 2027-01-31T12:00:00Z'
  expect(await refused({ since: 'yesterday' })).toBe(`since ${time}`)
  expect(await refused({ until: '2026-02-30' })).toBe(`until ${time}`)
  expect(await refused({ since: '2026-01-02', until: '2026-01-01' })).toBe('since must not be after until')
  expect(await refused({ since: '2026-01-02', until: '2026-01-02' })).toBeUndefined()
  expect(await refused({ status: 'open' })).toBe('status must be one of unverified, verified, superseded')
  expect(await refused({ offset: -1 })).toBe('offset must be at least 0')
  expect(await refused({ offset: 1.5 })).toBe('offset must be an integer')
  expect(await refused({ offset: 1_000_001 })).toBe('offset must be at most 1000000')
  expect(await refused({ source_id: '' })).toBe('source_id must not be empty')
  expect(await refused({ author: 'x'.repeat(257) })).toBe('author must be at most 256 characters')
  expect(await refused({ workspace: 'nowhere' })).toBe("workspace 'nowhere' is not active")
  expect(await refused({ workspace: '*' })).toBeUndefined()
})

test('gives a long record whole to who asks for its id, and else its best passage', async () => {
  const { call } = await startService()
  const long = `${'The river is wide here. '.repeat(1_500)}The lantern hangs at the gate. ${'The bridge is old there. '.repeat(1_000)}`
  const id = await save(call, long)
  const { result } = await searchWith(call, 'lantern gate')
  expect(result[0]?.excerpt).toBe(true)
  expect(result[0]?.content).toContain('The lantern hangs at the gate.')
  expect(result[0]?.content.length).toBeLessThanOrEqual(24_000)
  expect(result[0]?.content).toMatch(/^The .*\.$/)
  const named = await searchWith(call, id)
  expect(named.result.map(({ content, excerpt }) => [content, excerpt])).toEqual([[long, undefined]])
})

test('shows when a record expires, and refuses a time that has passed', async () => {
  const { call, pass } = await startService()
  const { text, isError } = await call('remember', { content: 'too late', expires_at: '2026-01-15T12:00:00Z' })
  expect([isError, text]).toEqual([true, 'Error executing tool remember: expires_at must be in the future'])
  const { structured } = await call('remember', { content: 'in time', expires_at: '2026-01-15T12:00:01Z' })
  expect((structured as { result: Found }).result.expires_at).toBe('2026-01-15T12:00:01.000Z')
  await save(call, 'for ever')
  const shown = async () => (await searchWith(call, '*')).result.map((one) => [one.content, one.expires_at, one.stale])
  const expected = (stale: boolean | undefined) => [
    ['for ever', undefined, undefined],
    ['in time', '2026-01-15T12:00:01.000Z', stale],
  ]
  expect(await shown()).toEqual(expected(undefined))
  pass(1_000)
  expect(await shown()).toEqual(expected(true))
  expect(contentsOf(await searchWith(call, '*', { exclude_stale: true }))).toEqual(['for ever'])
})

test('a record that is saved again keeps the time at which it expires, unless the save has another', async () => {
  const { call } = await startService()
  const saveUntil = async (expires_at?: string) => {
    const { structured } = await call('remember', {
      content: 'in time',
      ...(expires_at !== undefined && { expires_at }),
    })
    const { created, expires_at: until } = (structured as { result: Found & { created: boolean } }).result
    return [created, until]
  }
  expect(await saveUntil('2027-01-01T00:00:00Z')).toEqual([true, '2027-01-01T00:00:00.000Z'])
  expect(await saveUntil()).toEqual([false, '2027-01-01T00:00:00.000Z'])
  expect(await saveUntil('2028-01-01T00:00:00Z')).toEqual([false, '2028-01-01T00:00:00.000Z'])
})

test('a page behind the last match says so, of words and of a list, whatever other workspaces and filters there are', async () => {
  const { call } = await startService()
  await save(call, 'the lantern is green')
  await save(call, 'the lantern is blue', { workspace: 'cellar' })
  for (const [query, filter] of [
    ['lantern', {}],
    ['*', {}],
    ['*', { status: 'unverified' }],
  ] as const) {
    const { hint } = await searchWith(call, query, { offset: 7, ...filter })
    expect(hint).toMatchObject({
      workspace: 'default',
      advice: 'offset is behind the last match; ask again with a smaller one.',
    })
    expect(hint?.other_workspaces).toBeUndefined()
  }
})

test('an empty project, and the list of a workspace whose records are all forgotten, do not advise other words', async () => {
  const { call } = await startService()
  expect(await searchWith(call, 'lantern', { workspace: '*' })).toMatchObject({
    result: [],
    hint: { advice: 'Nothing is saved in this project yet.' },
  })
  await call('forget', { id: await save(call, 'the lantern is green') })
  expect((await searchWith(call, '*')).hint?.advice).toBe('Nothing is saved here now.')
})

for (const others of [0, 100]) {
  test(`a word finds the compound of which it is the last part, after notes that have it alone, beside ${others} others`, async () => {
    const { call } = await startService()
    for (let at = 0; at < others; at++)
      await call('remember', { content: `Die Notiz mit der Nummer ${at} liegt in der Ablage und ist nicht wichtig` })
    const notes = [
      'Die Mindestbestellung beträgt bei uns 50 Euro',
      'Die Bestellung wird am Montag von Frau Wagner abgeholt',
    ]
    for (const content of notes) await call('remember', { content })
    const { result, hint } = (await call('search', { query: 'Wo ist die Bestellung?' })).structured as {
      result: { content: string }[]
      hint?: object
    }
    expect(result.map(({ content }) => content)).toEqual(notes.toReversed())
    expect(hint).toBeUndefined()
    expect((await call('search', { query: 'Zeltung' })).structured?.result).toEqual([])
  })
}

test('a word finds compounds of which it is the last part in another form', async () => {
  const { call } = await startService()
  const pairs = [
    ['nyckel', 'Reservnyckeln ligger i kassaskåpet hos Gunilla'],
    ['rum', 'Mötesrummet på tredje våningen är bokat hela torsdagen'],
    ['lista', 'Päivystyslista kiinnitetään jääkaapin oveen maanantaisin'],
    ['vakuutus', 'Matkavakuutus kattaa myös harjoittelijat'],
    ['Prüfung', 'Die Leiternprüfungen übernimmt einmal im Jahr Herr Stangl'],
    ['Tür', 'Die Hintertür klemmt bei Frost und braucht einen festen Stoß'],
  ] as const
  for (const [, content] of pairs) await call('remember', { content })
  for (const [query, content] of pairs) {
    const { result } = (await call('search', { query })).structured as { result: { content: string }[] }
    expect(result.map((one) => one.content)).toEqual([content])
  }
})

test('a source is found by all of its name, also if that has 512 characters outside of the basic plane', async () => {
  const { call, service, account, project } = await startService()
  const source = `${'🎉'.repeat(507)}/plan`
  await save(call, 'The queue is Redis', { source_id: source })
  await save(call, 'The plan is made on Mondays')
  expect(contentsOf(await searchWith(call, source))[0]).toBe('The queue is Redis')
  const viewer = { accountId: account.id, projectId: project.id, visible: undefined }
  expect((await listSources(service, viewer, { text: source })).sources).toMatchObject([{ sourceId: source }])
})

test('a workspace that is not active is told with those that have records, however many have none any more', async () => {
  const { call, post } = await startService()
  for (let at = 0; at <= 20; at++)
    await call('forget', { id: await save(call, `note ${at}`, { workspace: `emptied-${at}` }) })
  await save(call, 'The queue is Redis', { workspace: 'queues' })
  const params = { name: 'search', arguments: { query: 'queue', workspace: 'shop' } }
  const { body } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
  expect(JSON.stringify(body)).toContain("Records are in 'queues'. Name one of these")
})
