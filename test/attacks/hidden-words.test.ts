import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { commandsBeside } from '../command-line.ts'
import { withoutFormIds } from '../http/console/browse.ts'
import { startTeam } from '../http/console/team.ts'

/** What the observer may see. */
const VISIBLE = [
  'The lantern hangs in the harbour',
  'We chose a slow deployment for the harbour',
  'Ticket 4839201111 is closed',
  '福特汽车停在港口',
  'The kalend app closes on Friday',
  'Caroline keeps the release calendar',
  'Một bảng tính là của người dùng',
  'commit 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b fixed it',
  'Мы используем программирование',
]

/**
 * What somebody else keeps to themselves: words one and two letters from those asked for, longer numbers, characters,
 * other languages.
 */
const HIDDEN = [
  'lantorns lantormn lantor',
  'lantron lanton lantorm',
  'lantorn',
  'deplyment deploymnt',
  'harbur harbors harbou',
  'account 483920175566',
  'account 4839201755667 and 48392000',
  '福州银行 福建 福利',
  'Die Kinder gehen nicht in die Schule, sie sind auf dem Land und in der Stadt',
  'Der Kalender ist nicht mehr da, und die Stadt ist auf der Insel',
  'Les enfants ne sont pas dans la maison, ils sont sur la plage avec nous',
  'calendas calendr kalendars',
  'release calendarium releasecalendar',
  'nguoi nguoh nguo',
  '9f86d0818 9f86d08f',
  'прграммирование програмирование',
  'zanzibar zanzibars',
]

/**
 * What each of them may lead to: a near miss, two, a beginning, a character, words run together, a stem of another
 * language, nothing.
 */
const QUERIES = [
  'lantorn',
  'lantron harbour',
  'deplymnt',
  'harborr',
  '483920',
  '福',
  'kalendarium friday',
  'kinderschule',
  'calendarr releasecalendar',
  'releasecalendar',
  'nguoi',
  '9f86d08',
  'прграммирование',
  'zanzibar',
  'zanzibra lantern',
  'the of and',
]

/**
 * Of which both visible and hidden records are, so that the evidence of a source would change with what is hidden of
 * it.
 */
const SOURCES = ['harbour.md', 'calendar.md', undefined]
const sourceOf = (at: number) => ({ source_id: SOURCES[at % SOURCES.length] })

const FILTERS = [{}, { scope: 'shared' }, { scope: 'draft' }, { exclude_stale: true }]
/** Fewer records than are looked through without the index, and more. */
const SIZES = [0, 90]
const RUNS = 4
const MANY = 800

for (const size of SIZES) {
  test(`a near miss, a beginning or a language that only others’ records hold changes no word of an answer, beside ${size} others`, async () => {
    const { call, get, at, ben, service, project } = await startTeam()
    const { json } = commandsBeside(service)
    const asOwner = ['--project', project.id, '--member', 'owner@localhost']
    for (const [nth, content] of VISIBLE.entries()) await call('remember', { content, ...sourceOf(nth) })
    await Promise.all(
      Array.from({ length: size }, (_, nth) => call('remember', { content: `filler note number ${nth} of many` })),
    )

    /** Everything the observer is answered: by the tool, by `--explain` and by the console's page. */
    async function ask(): Promise<string[]> {
      const answers: string[] = []
      for (const query of QUERIES) {
        for (const filter of FILTERS) answers.push((await call('search', { query, limit: 20, ...filter })).text)
        answers.push(withoutFormIds((await get(`${at}/records?q=${encodeURIComponent(query)}`)).text))
        answers.push(JSON.stringify(await json('search', query, '--explain', ...asOwner)))
      }
      return answers
    }

    const before = await ask()
    const scope = fc.constantFrom('draft', 'department')
    const hidden = fc.array(
      fc.record({
        content: fc.constantFrom(...HIDDEN),
        scope,
        source: fc.constantFrom(...SOURCES),
        times: fc.integer({ min: 1, max: 5 }),
      }),
      {
        minLength: 4,
        maxLength: 20,
      },
    )
    const property = fc.asyncProperty(hidden, async (notes) => {
      for (const { content, scope, source, times } of notes) {
        for (let nth = 0; nth < times; nth++)
          await ben.call('remember', { content: `${content} ${'x'.repeat(nth + 2)}`, scope, source_id: source })
      }
      expect(await ask()).toEqual(before)
    })
    await fc.assert(property, { numRuns: RUNS, endOnFailure: true })

    // So many that what the observer may see is looked through by itself.
    const kept = Array.from({ length: MANY }, (_, nth) => ({
      content: `${HIDDEN[nth % HIDDEN.length]} ${nth}`,
      scope: 'draft',
      ...sourceOf(nth),
    }))
    await Promise.all(kept.map((note) => ben.call('remember', note)))
    expect(await ask()).toEqual(before)
  })
}

test('why a score is what it is names no word that the record does not hold, unless the query itself made it', async () => {
  const { call, service, project } = await startTeam()
  const { json } = commandsBeside(service)
  for (const content of ['the lantern is out', 'the lantarns are out', 'number 48392011 and more', 'number 48392022'])
    await call('remember', { content })
  type Answer = { result: { content: string; terms: { word: string; forms: string[] }[] }[] }
  const explain = async (query: string) =>
    (
      await json<Answer>('search', query, '--explain', '--project', project.id, '--member', 'owner@localhost')
    ).result.map(({ content, terms }) => [content, terms[0]?.forms])
  expect(Object.fromEntries(await explain('lantarn'))).toEqual({ 'the lantarns are out': ['lantarn'] })
  expect(Object.fromEntries(await explain('lantorn'))).toEqual({
    'the lantern is out': ['lantern'],
    'the lantarns are out': ['lantarn'],
  })
  expect(Object.fromEntries(await explain('483920'))).toEqual({
    'number 48392011 and more': ['48392011'],
    'number 48392022': ['48392022'],
  })
})

test('a query of more than 8 192 characters is refused before anything is done with it, on every way in', async () => {
  const { call, service, project, get, at } = await startTeam()
  await call('remember', { content: 'one note' })
  const refusal = 'query must be at most 8192 characters'
  const long = 'a\u0301\u0316'.repeat(2_731)
  for (const query of [long, ' '.repeat(8_193), '🎉'.repeat(8_193)]) {
    expect(await call('search', { query })).toMatchObject({
      isError: true,
      text: `Error executing tool search: ${refusal}`,
    })
    expect(await commandsBeside(service).refusal('search', query, '--project', project.id)).toBe(refusal)
  }
  // A ligature of 18 letters, and a square sign of six.
  for (const query of ['\ufdfa'.repeat(456), `${'\u3316'.repeat(8_180)} lantern`]) {
    const normalized = `${refusal} after Unicode normalization (NFKC)`
    expect(await call('search', { query })).toMatchObject({
      isError: true,
      text: `Error executing tool search: ${normalized}`,
    })
    expect(await commandsBeside(service).refusal('search', query, '--project', project.id)).toBe(normalized)
  }
  for (const query of ['🎉'.repeat(8_192), '\ufdfa'.repeat(455)])
    expect((await call('search', { query })).isError).toBe(false)
  expect((await get(`${at}/records?q=${'b'.repeat(8_193)}`)).text.toLowerCase()).toContain(refusal)
})
