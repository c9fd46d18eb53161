import { expect, test } from 'bun:test'
import { insertRecords } from '../../../builders/records.ts'
import { fieldsOf, startTeam } from '../team.ts'

type Team = Awaited<ReturnType<typeof startTeam>>

/** Three records of one source, of which one is stale; one that only Ben sees; one in another workspace. */
async function fill({ save }: Team) {
  const old = await save('The port is 8080', { source_id: 'docs/ports.md', source_hash: 'first' })
  const fresh = await save('The ports are documented', { source_id: 'docs/ports.md', source_hash: 'second-and-longer' })
  const draft = await save('Only Ben reads this', { source_id: 'docs/ports.md', scope: 'draft' }, 'ben')
  await save('Ben keeps notes', { source_id: 'ben/notes.md', scope: 'draft' }, 'ben')
  await save('A wiki page', { source_id: 'wiki/page', workspace: 'wiki' })
  return { old, fresh, draft }
}

const sourcesOn = (page: string) =>
  [...page.matchAll(/<a href="[^"]*records\?[^"]*"><bdi>(.*?)<\/bdi><\/a><small/g)].map(([, name]) => name)

test('each source is listed with what its reader sees of it: records, fresh and stale, the last hash', async () => {
  const team = await startTeam()
  await fill(team)
  const { text } = await team.get(`${team.at}/sources`)
  expect(sourcesOn(text)).toEqual(['docs/ports.md', 'wiki/page'])
  expect(text).toContain('1 fresh, 1 stale')
  expect(text).toContain('<code title="second-and-longer">second-and-l</code>')
  const { text: toBen } = await team.ben.get(`${team.at}/sources`)
  expect(sourcesOn(toBen)).toEqual(['ben/notes.md', 'docs/ports.md', 'wiki/page'])
  expect(toBen).toContain('2 fresh, 1 stale')
})

test('the list is narrowed by a part of the name and by workspace, and a workspace that is not active is refused at its field', async () => {
  const team = await startTeam()
  await fill(team)
  const list = async (query: string) => sourcesOn((await team.get(`${team.at}/sources?${query}`)).text)
  expect([await list('q=PORTS'), await list('workspace=wiki'), await list('q=ports&workspace=wiki')]).toEqual([
    ['docs/ports.md'],
    ['wiki/page'],
    [],
  ])
  const { status, text } = await team.get(`${team.at}/sources?workspace=nowhere`)
  expect([status, text.match(/is not active/g)?.length]).toEqual([400, 1])
  expect(text).toMatch(/name="workspace"[^>]* aria-describedby="messages" aria-invalid="true"/)
  expect((await team.get(`${team.at}/sources?q=${'x'.repeat(513)}`)).status).toBe(400)
  expect((await team.get(`${team.at}/sources?in=wiki&after=${'x'.repeat(1_025)}`)).status).toBe(400)
})

test('the list repeats only its own filters, however long the address is', async () => {
  const team = await startTeam()
  await fill(team)
  const { text } = await team.get(
    `${team.at}/sources?workspace=default&unknown=${'x'.repeat(8_000)}&done=records.forgotten&n=1`,
  )
  expect(sourcesOn(text)).toEqual(['docs/ports.md'])
  expect(text).not.toContain('xxxx')
  expect(fieldsOf(text, `${team.at}/sources/bulk`).back).toBe(`${team.at}/sources?workspace=default`)
})

test('the stale records of a source are forgotten, or all, as far as one sees them', async () => {
  const team = await startTeam()
  const { old, fresh, draft } = await fill(team)
  const { get, post, at, standing, listAudit } = {
    ...team,
    listAudit: () => team.service.store.control.listAudit({ act: 'record.forget', limit: 9 }),
  }
  const action = `${at}/sources/bulk`
  const fields = fieldsOf((await get(`${at}/sources?q=ports`)).text, action)
  expect(fields).toMatchObject({ source: 'docs/ports.md', workspace: 'default', stale: 'yes' })
  expect((await post(action, fields)).place).toStartWith(`${at}/sources?q=ports&done=records.forgotten&n=1`)
  expect((await standing(old)).forgottenAt).not.toBeNull()
  expect((await standing(fresh)).forgottenAt).toBeNull()
  const all = fieldsOf((await get(`${at}/sources`)).text, action)
  expect(all).not.toHaveProperty('stale')
  expect((await get((await post(action, all)).place ?? '')).text).toContain('1 record forgotten.')
  expect((await standing(fresh)).forgottenAt).not.toBeNull()
  expect((await standing(draft)).forgottenAt).toBeNull()
  expect((await listAudit()).map(({ target, details }) => [target, details.records])).toEqual([
    ['docs/ports.md', 1],
    ['docs/ports.md', 1],
  ])
  const gone = await post(action, { ...all, form: 'later' })
  expect(gone.status).toBe(400)
  expect(gone.text).toContain('No records of source &#x27;docs/ports.md&#x27;.')
})

test('a source is forgotten or moved in all workspaces at once, and brought back by Undo', async () => {
  const { at, get, post, save, standing } = await startTeam()
  const ids: string[] = []
  for (const workspace of ['default', 'ops', 'web'])
    ids.push(await save(`Ports of ${workspace}`, { source_id: 'ports.md', workspace }))
  const read = async () => {
    const records = await Promise.all(ids.map(standing))
    return records.map((record) => [record.forgottenAt, 'workspaceId' in record ? record.workspaceId : undefined])
  }
  const before = await read()
  const action = `${at}/sources/bulk`
  const fields = fieldsOf((await get(`${at}/sources`)).text, action)
  for (const change of [{}, { act: 'move', to: 'archive' }]) {
    const { place } = await post(action, { ...fields, ...change, everywhere: 'yes' })
    const { text } = await get(place ?? '')
    expect(text).toContain(`3 records ${'to' in change ? 'moved' : 'forgotten'}.`)
    const changed = await read()
    expect(new Set(changed.map((one) => String(one))).size).toBe('to' in change ? 1 : 3)
    expect(changed).not.toEqual(before)
    await post(`${at}/records/bulk`, fieldsOf(text, `${at}/records/bulk`))
    expect(await read()).toEqual(before)
  }
})

test('sources are listed a page at a time, each once', async () => {
  const team = await startTeam()
  await insertRecords(
    team,
    Array.from({ length: 120 }, (_, at) => ({ sourceId: `notes/${at % 110}.md`, createdAt: at + 1 })),
  )
  const found: (string | undefined)[] = []
  let path: string | undefined = `${team.at}/sources?q=notes`
  for (let pages = 0; path !== undefined && pages < 9; pages++) {
    const { text }: { text: string } = await team.get(path)
    found.push(...sourcesOn(text))
    path = /<p class="older"><a href="([^"]*)">More/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  expect([found.length, new Set(found).size]).toEqual([110, 110])
})

test('a form that was refused fills nothing into the filters, which have a field of the same name', async () => {
  const team = await startTeam()
  await fill(team)
  const { status, text } = await team.post(`${team.at}/sources/bulk`, {
    act: 'forget',
    all: 'yes',
    source: '',
    workspace: 'wiki',
  })
  expect(status).toBe(400)
  expect(text).toContain('<option value="" selected>any</option>')
  expect(text).not.toContain('<option value="wiki" selected>')
})

test('sources are sorted by what a heading says, within the filters, and acts and chips keep the order', async () => {
  const team = await startTeam()
  await fill(team)
  const read = async (query: string) => (await team.ben.get(`${team.at}/sources?${query}`)).text
  const names = async (query: string) => sourcesOn(await read(query))
  expect(await names('sort=-records')).toEqual(['docs/ports.md', 'ben/notes.md', 'wiki/page'])
  expect(await names('sort=-source')).toEqual(['wiki/page', 'docs/ports.md', 'ben/notes.md'])
  expect(await names('sort=-fresh-and-stale')).toEqual(['docs/ports.md', 'ben/notes.md', 'wiki/page'])
  expect(await names('sort=source&q=E&workspace=default')).toEqual(['ben/notes.md'])
  const page = await read('sort=-records&workspace=default')
  expect(page).toContain(
    `aria-sort="descending"><a class="sort" href="${team.at}/sources?workspace=default&amp;sort=records">Records`,
  )
  expect(page).toContain('<input type="hidden" name="sort" value="-records">')
  expect(page).toContain(`href="${team.at}/sources?sort=-records" aria-label="Remove the filter`)
  expect(fieldsOf(page, `${team.at}/sources/bulk`).back).toBe(`${team.at}/sources?workspace=default&sort=-records`)
  expect((await team.get(`${team.at}/sources?sort=records&workspace=nowhere`)).status).toBe(400)
  expect(await read('')).toContain('<h1>Sources <small class="quiet">3</small></h1>')
  expect((await team.get(`${team.at}/sources`)).text).toContain('<h1>Sources <small class="quiet">2</small></h1>')
})

test('the order goes on over the pages', async () => {
  const team = await startTeam()
  await insertRecords(
    team,
    Array.from({ length: 51 }, (_, at) => ({ sourceId: `docs/${100 + at}.md` })),
  )
  const { text } = await team.get(`${team.at}/sources?sort=-source&q=docs`)
  expect(sourcesOn(text)).toHaveLength(50)
  const more = `${team.at}/sources?q=docs&sort=-source&page=2`
  expect(text).toContain(more.replaceAll('&', '&amp;'))
  expect(sourcesOn((await team.get(more)).text)).toEqual(['docs/100.md'])
})
