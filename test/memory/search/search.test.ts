import { expect, test } from 'bun:test'
import { toEntry } from '../../../src/memory/search/index/index-entry.ts'
import { startService } from '../../start-service.ts'

type Found = { content: string; score: number; stale: boolean; scope: string }
type Call = Awaited<ReturnType<typeof startService>>['call']

async function findWith(call: Call, query: string, args: object = {}): Promise<Found[]> {
  const { structured, text, isError } = await call('search', { query, ...args })
  if (isError) throw new Error(text)
  return structured?.result as Found[]
}

const contents = (found: Found[]) => found.map(({ content }) => content)

/** Enough other records that the index is asked and not only memory. */
async function fill(call: Call, count = 100, args: object = {}): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, (_, at) =>
      call('remember', { content: `filler note number ${at} of many`, ...args }),
    ),
  )
}

for (const size of [0, 100]) {
  test(`finds words in other forms, identifiers by parts and scripts without spaces, beside ${size} others`, async () => {
    const { call } = await startService()
    await fill(call, size)
    const notes = [
      'The children ran to school',
      'getUserById throws ECONNREFUSED',
      'see src/db/schema.ts since v1.2.3',
      '我们把数据库放在法兰克福',
      '배포는 화요일에 한다',
      'Мы выбрали новые книги',
    ]
    for (const content of notes) await call('remember', { content })
    const first = async (query: string) => contents(await findWith(call, query))[0]
    expect(await first('which child runs')).toBe(notes[0])
    expect(await first('user by id')).toBe(notes[1])
    expect(await first('getuserbyid')).toBe(notes[1])
    expect(await first('schema.ts')).toBe(notes[2])
    expect(await first('1.2')).toBe(notes[2])
    expect(await first('数据库')).toBe(notes[3])
    expect(await first('福')).toBe(notes[3])
    expect(await first('배포')).toBe(notes[4])
    expect(await first('книга')).toBe(notes[5])
  })

  test(`repairs a typing error and parts words run together, beside ${size} others`, async () => {
    const { call } = await startService()
    await fill(call, size)
    await call('remember', { content: 'Caroline keeps the release calendar' })
    expect(contents(await findWith(call, 'Charoline'))).toEqual(['Caroline keeps the release calendar'])
    expect(contents(await findWith(call, 'releasecalendar'))).toEqual(['Caroline keeps the release calendar'])
  })

  test(`repairs a wrong first letter, in any script, and words that are cut, beside ${size} others`, async () => {
    const { call } = await startService()
    await fill(call, size)
    const notes = [
      'the calendar moved',
      'Мы используем программирование',
      'यह सॉफ्टवेयर बहुत अच्छा है',
      'το πρόγραμμα τρέχει',
      'התוכנה חדשה',
    ]
    for (const content of notes) await call('remember', { content })
    const first = async (query: string) => contents(await findWith(call, query))[0]
    for (const query of ['dalendar', 'acalendar', 'alendar', 'aclendar']) expect(await first(query)).toBe(notes[0])
    for (const query of ['прграммирование', 'пррограммирование', 'крограммирование'])
      expect(await first(query)).toBe(notes[1])
    expect(await first('सॉफ्टवियर')).toBe(notes[2])
    expect(await first('κρόγραμμα')).toBe(notes[3])
    expect(await first('התוקנה')).toBe(notes[4])
  })

  test(`finds Vietnamese written without its marks, beside ${size} others`, async () => {
    const { call } = await startService()
    await fill(call, size)
    await call('remember', { content: 'Một bảng tính là của người dùng' })
    expect(contents(await findWith(call, 'nguoi'))).toHaveLength(1)
    expect(contents(await findWith(call, 'bảng'))).toHaveLength(1)
  })

  test(`finds a code or a number by its beginning, beside ${size} others`, async () => {
    const { call } = await startService()
    await fill(call, size)
    await call('remember', { content: 'commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b fixed it' })
    await call('remember', { content: 'commit 1b4f0e9851971998e732078544c96b36c3d01ced broke it' })
    expect(contents(await findWith(call, '9f86d08'))).toEqual([
      'commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b fixed it',
    ])
  })

  test(`finds a word by the known part of an unknown compound, in the project's languages, beside ${size} others`, async () => {
    const { call } = await startService()
    await fill(call, size)
    await call('remember', { content: 'Die Verwaltung ist nicht in der Stadt, sie ist auf dem Land' })
    expect(contents(await findWith(call, 'Xylophonverwaltung'))).toHaveLength(1)
  })

  test(`answers a question of function words when they are all that is known, beside ${size} others`, async () => {
    const { call } = await startService()
    await fill(call, size)
    await call('remember', { content: 'to be or not to be' })
    expect(contents(await findWith(call, 'to be'))).toEqual(['to be or not to be'])
    expect(contents(await findWith(call, 'what xylophone be'))).toEqual(['to be or not to be'])
  })
}

test('finds a question whose words stand in two notes of one source, one after the other', async () => {
  const { call } = await startService()
  await fill(call)
  for (const content of ['Melanie asked about the violin', 'Every evening after work', 'Something else'])
    await call('remember', { content, source_id: 'talk' })
  await call('remember', { content: 'Every evening the lights go out' })
  expect(contents(await findWith(call, 'Melanie violin evening')).slice(0, 2)).toEqual([
    'Melanie asked about the violin',
    'Every evening after work',
  ])
})

test('finds the one visible match among many that may not be seen, and scores as if they were not there', async () => {
  const { org, as, call } = await startService()
  const secret = await org.keyOf(await org.addMember('Other'))
  await call('remember', { content: 'the lantern hangs outside, said nobody' })
  await fill(call)
  const before = await findWith(call, 'lantern nobody')
  await Promise.all(
    Array.from({ length: 400 }, (_, at) => as(secret).call('remember', { content: `lantern ${at}`, scope: 'draft' })),
  )
  expect(await findWith(call, 'lantern nobody')).toEqual(before)
  expect(contents(before)).toEqual(['the lantern hangs outside, said nobody'])
})

test('finds the one fresh match among many stale ones', async () => {
  const { call } = await startService()
  for (let at = 0; at < 150; at++)
    await call('remember', { content: `lantern lantern ${at}`, source_id: 'log', source_hash: `h${at}` })
  await call('remember', { content: 'a note that mentions a lantern somewhere at its end' })
  const fresh = await findWith(call, 'lantern', { exclude_stale: true })
  expect(contents(fresh).sort()).toEqual(['a note that mentions a lantern somewhere at its end', 'lantern lantern 149'])
})

test('ranks a stale match after a fresh one of like relevance', async () => {
  const { call } = await startService()
  await call('remember', { content: 'deploys happen on Monday', fact_key: 'deploy.day' })
  await call('remember', { content: 'deploys happen on Tuesday', fact_key: 'deploy.day' })
  const found = await findWith(call, 'when do deploys happen')
  expect(found.map(({ stale = false }) => stale)).toEqual([false, true])
})

test('gives scores above 0 and at most 1, falling, and the same again', async () => {
  const { call } = await startService()
  await fill(call)
  const found = await findWith(call, 'filler note number 7', { limit: 50 })
  expect(found).toHaveLength(50)
  expect(found.every(({ score }) => score > 0 && score <= 1)).toBe(true)
  expect(found.map(({ score }) => score)).toEqual(found.map(({ score }) => score).sort((a, b) => b - a))
  expect(await findWith(call, 'filler note number 7', { limit: 50 })).toEqual(found)
})

test('answers any query, however strange', async () => {
  const { call } = await startService()
  await call('remember', { content: 'one note' })
  await fill(call)
  for (const query of [
    '"',
    "'",
    'AND',
    'NEAR(',
    '*',
    '-',
    '🎉',
    '؟',
    '\u0301',
    'a:b:c',
    '"note" OR (',
    'x'.repeat(8_192),
    'é '.repeat(4_096),
    '字'.repeat(8_192),
    '🎉'.repeat(8_192),
    Array.from({ length: 900 }, (_, at) => `word${at.toString(36)}s`).join(' '),
  ]) {
    const { isError, text } = await call('search', { query })
    expect([query.slice(0, 9), isError, isError ? text : '']).toEqual([query.slice(0, 9), false, ''])
  }
})

test('a forgotten record is found no more, and its words count no more', async () => {
  const { call } = await startService()
  await fill(call)
  const { structured } = await call('remember', { content: 'zebra crossing' })
  await call('forget', { id: (structured as { result: { id: string } }).result.id })
  expect(await findWith(call, 'zebra')).toEqual([])
})

test('finds the old record that has all the words among ten thousand newer ones that have the common one', async () => {
  const { service, project, call } = await startService()
  await call('remember', { content: 'the lantern of the harbour' })
  const [made] = await service.store.project(project.id).listRecords({ visible: undefined })
  if (made === undefined) throw new Error('nothing was saved')
  const { seq: _, ...rest } = made
  for (let chunk = 0; chunk < 21; chunk++) {
    await service.store.project(project.id).write(async (tx) => {
      for (let at = 0; at < 500; at++) {
        const content = at < 10 ? `harbour ${chunk} as seen from the hill on a day in May` : `lantern ${at}`
        await tx.insertRecord({ ...rest, id: crypto.randomUUID(), content, entry: toEntry({ content, askedAs: null }) })
      }
    })
  }
  expect(contents(await findWith(call, 'lantern harbour', { limit: 1 }))).toEqual(['the lantern of the harbour'])
})
