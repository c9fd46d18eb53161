import { expect, test } from 'bun:test'
import { startUpkeep } from '../../../src/account/upkeep.ts'
import { waitUntil } from '../../wait-until.ts'
import { startOrganization } from './organization.ts'
import { fieldsOf, startTeam } from './team.ts'

type Team = Awaited<ReturnType<typeof startTeam>>

/** Posts an act on many records, and the page after it. */
async function act({ postText, get, at }: Team, fields: Record<string, string>, ids: string[]) {
  const form = new URLSearchParams({ ...fields, back: `${at}/records` })
  for (const id of ids) form.append('id', id)
  const { place } = await postText(`${at}/records/bulk`, `${form}`)
  return { place: place ?? '', page: (await get(place ?? '')).text }
}

const undoOf = ({ at }: Team, page: string) => fieldsOf(page, `${at}/records/bulk`)

test('acts on many records are undone with one click, each record as it was', async () => {
  const team = await startTeam()
  const [one, two] = [await team.save('One', { workspace: 'first' }), await team.save('Two', { workspace: 'second' })]
  const places = async () => {
    const standing = await Promise.all([team.standing(one), team.standing(two)])
    return standing.map((record) => ({ ...record, ...('savedAt' in record && { savedAt: 0 }) }))
  }
  const before = await places()
  for (const fields of [
    { act: 'move', to: 'third' },
    { act: 'verify' },
    { act: 'forget' },
    { act: 'scope', to_scope: 'draft' },
  ]) {
    const { page } = await act(team, fields, [one, two])
    expect(await places()).not.toEqual(before)
    const { place } = await team.post(`${team.at}/records/bulk`, undoOf(team, page.split('</main>')[0] ?? ''))
    expect(place).toContain('n=2')
    expect(await places()).toEqual(before)
    // What undid it can be undone, too.
    expect((await team.get(place ?? '')).text).toContain('>Undo</button>')
  }
})

test('an undo is that of whoever did the act, for ten minutes, and names nothing but what was kept', async () => {
  const team = await startTeam()
  const { at, ben, post, get, service, pass } = team
  const id = await team.save('One')
  const { place, page } = await act(team, { act: 'forget' }, [id])
  const fields = undoOf(team, page)
  expect(fields).toEqual({ form: expect.any(String), undo: expect.any(String), back: `${at}/records` })
  expect((await ben.get(place)).text).not.toContain('>Undo</button>')
  expect((await ben.post(`${at}/records/bulk`, fields)).text).toContain('It can no longer be undone')
  expect((await post(`${at}/records/${id}/restore`, fields)).text).toContain('It can no longer be undone')
  const made = { act: 'return', id, place: '1 a:somebody', back: `${at}/records` }
  expect((await post(`${at}/records/bulk`, made)).text).toContain('Choose what to do with the records')
  pass(600_001)
  expect((await get(place)).text).not.toContain('>Undo</button>')
  expect((await post(`${at}/records/bulk`, fields)).text).toContain('It can no longer be undone')
  const stop = startUpkeep(service, service.clock.now, 1)
  await waitUntil('old undos are erased', async () => (await service.store.control.count('undos', {})) === 0)
  await stop()
})

/** The path and the fields of the button that undoes an act, on the page after it. */
function readUndo(page: string) {
  const [, action = '', id = '', back = ''] =
    /action="([^"]*)" class="inline"><input[^>]*><input type="hidden" name="undo" value="([^"]*)"><input type="hidden" name="back" value="([^"]*)">/.exec(
      page,
    ) ?? []
  return { action, fields: { undo: id, back: back.replaceAll('&amp;', '&') } }
}

test('acts on the account, its people, integrations and projects are undone with one click', async () => {
  const { at, post, get, service, org, project, member, account, elsewhere, call } = await startOrganization()
  const { control } = service.store
  const sales = await org.addDepartment('Sales')
  const wiki = await org.addIntegration({ slug: 'wiki', url: 'https://mcp.example.org/mcp' })
  await call('remember', { content: 'The port is 8080', workspace: 'ports' })
  await service.store
    .project(project.id)
    .write((tx) => tx.addQuestions([{ id: 'q', text: 'Which port?', asked: 3, at: service.clock.now() }], 9))
  await post(`${at}/calls/unanswered/switch`, { keep: 'yes' })
  const person = `/console/people/${member.id}`
  const operated = `/console/operator/accounts/${elsewhere.id}`
  const settings = { name: 'Wiki', url: wiki.url, mode: 'read-write', timeout: '90', sessions: 'key' }
  const limits = { callsPerKey: '7', callsPerProject: '', records: '', contentBytes: '', workspaces: '9' }
  const acts: [path: string, fields: Record<string, string>][] = [
    [`${at}/settings`, { name: 'Mill' }],
    [`${at}/settings/workspaces/rename`, { workspace: 'ports', new_name: 'harbours' }],
    [`${at}/settings/integrations`, { integration: wiki.id, enabled: 'yes' }],
    [`${at}/calls/unanswered/dismiss`, { question: 'q' }],
    ['/console/integrations/wiki/projects', { project: project.id, enabled: 'yes' }],
    ['/console/integrations/wiki/settings', settings],
    ['/console/integrations', { slug: 'other', url: wiki.url }],
    ['/console/account', { name: 'Water Mill' }],
    ['/console/account/credentials', { credentials: 'mask' }],
    ['/console/account/marked', { marked: 'reject' }],
    [person, { role: 'admin', department: sales.id }],
    [`${person}/projects`, { project: project.id, open: 'yes' }],
    ['/console/people/departments', { name: 'Support' }],
    ['/console/people/departments/rename', { which: sales.id, to: 'Retail' }],
    ['/console/people/departments/remove', { department: sales.id }],
    ['/console/me', { name: 'Ana', email: 'owner@localhost' }],
    [`${operated}/subscription`, { plan: 'team', until: '2026-03-01' }],
    [`${operated}/subscription/end`, {}],
    [`${operated}/limits`, { ...limits, historyBytes: '' }],
    [`${operated}/suspend`, { typed: elsewhere.name }],
  ]
  const read = async () => {
    const kinds = ['accounts', 'projects', 'integrations', 'enabledIntegrations', 'access', 'departments'] as const
    const lists = await Promise.all(kinds.map((kind) => control.list(kind, {})))
    const people = await control.list('members', { accountId: account.id })
    const memory = service.store.project(project.id)
    const workspaces = await memory.listWorkspaces(undefined, { limit: 9 })
    const plain = lists.map((rows) => rows.map((row) => ({ ...row, createdAt: 0, madeAt: 0 })))
    return [...plain, people, workspaces, await memory.findQuestion('q')].map((part) => JSON.stringify(part))
  }
  for (const [path, fields] of acts) {
    const before = await read()
    const { place, text } = await post(path, fields)
    if (place === null) throw new Error(`${path}: ${text}`)
    expect([path, await read()]).not.toEqual([path, before])
    const undo = readUndo((await get(place)).text)
    const undone = await post(undo.action, undo.fields)
    expect([path, undone.status, await read()]).toEqual([path, 303, before])
  }
  const made = { question: 'made', text: 'Made up?', asked: '1', at: '1' }
  expect((await post(`${at}/calls/unanswered/restore`, made)).text).toContain('A question comes back by Undo alone')
})

test('a record that was written, corrected or given phrases by hand is undone', async () => {
  const { at, post, get, service, project } = await startTeam()
  const memory = service.store.project(project.id)
  const read = async () =>
    (await memory.listLatest({ visible: undefined }, { limit: 9 })).map(({ id, status, askedAs }) => [
      id,
      status,
      askedAs,
    ])
  const written = await post(`${at}/records/new`, {
    content: 'We deploy on Tuesdays',
    fact_key: 'deploy.day',
    workspace: 'default',
    scope: 'shared',
    confirm: 'yes',
  })
  const [path = ''] = written.place?.split('?') ?? []
  const edit = (content: string, phrases: string) =>
    post(`${path}/edit`, { content, asked_as: phrases, confirm: 'yes', seen: '' })
  const undo = async (place: string | null) => {
    const { action, fields } = readUndo((await get(place ?? '')).text)
    return (await post(action, fields)).status
  }
  const before = await read()
  for (const [content, phrases] of [
    ['We deploy on Wednesdays', ''],
    ['We deploy on Tuesdays', 'which day'],
  ] as const) {
    const edited = await edit(content, phrases)
    expect(await read()).not.toEqual(before)
    expect([content, await undo(edited.place), await read()]).toEqual([content, 303, before])
  }
  expect([await undo(written.place), await read()]).toEqual([303, []])
})
