import { expect, test } from 'bun:test'
import { DAY_MS } from '../../../../src/clock.ts'
import { commandsBeside } from '../../../command-line.ts'
import { fieldsOf, placesOf, startTeam } from '../team.ts'

test('shows what was forgotten, last first, with the days left, and brings it back', async () => {
  const { get, post, at, save, forget, call, pass } = await startTeam()
  const first = await save('The lantern is <script>alert(1)</script> green')
  const second = await save('The lantern is red')
  await forget(second)
  pass(DAY_MS + 1)
  await forget(first)
  const { text } = await get(`${at}/trash`)
  const places = placesOf(text, ['green', '30 days left', 'red', '29 days left'])
  expect(places).toEqual(places.toSorted((a, b) => a - b))
  expect(places).not.toContain(-1)
  expect(text).not.toContain('<script>')
  const action = `${at}/records/${first}/restore`
  expect((await post(action, fieldsOf(text, action))).place).toStartWith(`${at}/trash?done=record.restored&undo=`)
  expect((await get(`${at}/trash`)).text).not.toContain('green')
  expect((await call('search', { query: 'lantern' })).structured?.result).toMatchObject([{ id: first }])
})

test('shows nobody what they might not see before it was forgotten', async () => {
  const { get, post, at, save, ben, standing } = await startTeam()
  const id = await save('Ben drafts', { scope: 'draft' }, 'ben')
  await ben.call('forget', { id })
  expect((await ben.get(`${at}/trash`)).text).toContain('Ben drafts')
  expect((await get(`${at}/trash`)).text).toContain('The trash is empty.')
  expect((await post(`${at}/records/${id}/restore`)).text).toContain(`No record &#x27;${id}&#x27;.`)
  expect((await standing(id)).forgottenAt).not.toBeNull()
  expect((await get(`${at}/trash?before=${id}`)).status).toBe(404)
})

test('goes through the trash in parts, also what was forgotten at one moment', async () => {
  const { get, at, save, service, project } = await startTeam({ config: { trashDays: 1 } })
  for (let i = 0; i < 53; i++) await save(`Lantern ${String(i).padStart(2, '0')}.`, { workspace: 'attic' })
  await commandsBeside(service).json('workspace', 'remove', 'attic', '--project', project.name)
  const first = await get(`${at}/trash`)
  expect(first.text).toContain('kept for 1 day,')
  const shown = first.text.match(/Lantern \d\d\./g) ?? []
  const next = await get(/href="([^"]*before=[^"]*)"/.exec(first.text)?.[1] ?? '')
  const rest = next.text.match(/Lantern \d\d\./g) ?? []
  expect([shown.length, rest.length, new Set([...shown, ...rest]).size]).toEqual([50, 3, 53])
})

test('says why a record cannot be restored', async () => {
  const { post, at, save, forget } = await startTeam()
  const id = await save('The lantern is green')
  await forget(id)
  const again = await save('The lantern is green')
  const { status, text } = await post(`${at}/records/${id}/restore`)
  expect(status).toBe(400)
  expect(text).toContain(`Record &#x27;${id}&#x27; was saved again meanwhile, as &#x27;${again}&#x27;.`)
})

test('what one act forgot is restored by one click; the trash is narrowed by words, source, workspace, who and when', async () => {
  const { at, get, post, save, forget, ben, pass } = await startTeam()
  for (const name of ['One', 'Two', 'Three']) await save(`${name} of many`, { source_id: 'many.md', workspace: 'ops' })
  const single = await save('Only this')
  await forget(single)
  const sources = fieldsOf((await get(`${at}/sources`)).text, `${at}/sources/bulk`)
  pass(86_400_000)
  await ben.post(`${at}/sources/bulk`, sources)
  const shown = async (query: string) =>
    [...(await get(`${at}/trash?${query}`)).text.matchAll(/>(\w+) (?:of many|this)</g)].map(([, word]) => word)
  expect([await shown('q=many+three'), await shown('source=many.md'), await shown('workspace=ops')]).toEqual([
    ['Three'],
    ['Three', 'Two', 'One'],
    ['Three', 'Two', 'One'],
  ])
  expect([await shown('who=Ben'), await shown('who=Owner'), await shown('until=2026-01-15')]).toEqual([
    ['Three', 'Two', 'One'],
    ['Only'],
    ['Only'],
  ])
  expect([await shown('sort=forgotten'), await shown('workspace=nowhere')]).toEqual([
    ['Only', 'One', 'Two', 'Three'],
    [],
  ])
  const { text } = await get(`${at}/trash`)
  expect(text).toContain('Forgotten records <small class="quiet">4</small>')
  expect(text).toContain('data-label="Forgotten by" class="long"><bdi>Ben</bdi>')
  const { place } = await post(`${at}/trash/bulk`, fieldsOf(text, `${at}/trash/bulk`))
  expect(place).toContain('done=records.restored&n=3')
  expect(await shown('')).toEqual(['Only'])
  // At one moment, but each by itself.
  for (const name of ['Lone', 'Sole']) await forget(await save(`${name} this`))
  expect(await shown('')).toEqual(['Sole', 'Lone', 'Only'])
  expect([text, (await get(`${at}/trash`)).text].map((page) => page.includes('Restore all of this act'))).toEqual([
    true,
    false,
  ])
})

test('is sorted by each of its columns, with the filters kept, and in parts', async () => {
  const { at, get, save, forget, ben, pass } = await startTeam()
  const forgotten: [string, Record<string, string>, forget: (id: string) => Promise<unknown>][] = [
    ['Mole', { source_id: 'b.md' }, forget],
    ['Asp', { source_id: 'c.md' }, (id) => ben.call('forget', { id })],
    ['Zebu', {}, forget],
    ['Newt', { source_id: 'a.md' }, (id) => ben.call('forget', { id })],
  ]
  for (const [name, args, act] of forgotten) {
    await act(await save(`${name} of many`, args))
    pass(1_000)
  }
  const page = async (query: string) => (await get(`${at}/trash?${query}`)).text
  const namesOf = (text: string) => [...text.matchAll(/>(\w+) of many</g)].map(([, word]) => word)
  const orders = {
    '': ['Newt', 'Zebu', 'Asp', 'Mole'],
    '-forgotten': ['Newt', 'Zebu', 'Asp', 'Mole'],
    forgotten: ['Mole', 'Asp', 'Zebu', 'Newt'],
    record: ['Asp', 'Mole', 'Newt', 'Zebu'],
    '-record': ['Zebu', 'Newt', 'Mole', 'Asp'],
    source: ['Newt', 'Mole', 'Asp', 'Zebu'],
    '-source': ['Asp', 'Mole', 'Newt', 'Zebu'],
    'forgotten-by': ['Newt', 'Asp', 'Zebu', 'Mole'],
    nonsense: ['Newt', 'Zebu', 'Asp', 'Mole'],
  }
  for (const [sort, names] of Object.entries(orders))
    expect([sort, namesOf(await page(`sort=${sort}`))]).toEqual([sort, names])
  const byWho = await page('sort=source&who=Ben')
  expect(namesOf(byWho)).toEqual(['Newt', 'Asp'])
  expect(byWho).toContain('aria-sort="ascending"><a class="sort" href="')
  expect(byWho).toContain(`href="${at}/trash?who=Ben&amp;sort=-source"`)
  for (let i = 0; i < 48; i++) await forget(await save(`Yak${i} of many`))
  const first = await page('sort=record')
  const next = /href="([^"]*page=2[^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&') ?? ''
  expect([namesOf(first).length, namesOf((await get(next)).text)]).toEqual([50, ['Yak9', 'Zebu']])
})
