import { expect, test } from 'bun:test'
import { countOf } from '../../../../src/console/markup/format.ts'
import { inSession } from '../browse.ts'
import { fieldsOf, startTeam } from '../team.ts'

type Team = Awaited<ReturnType<typeof startTeam>>

/** The hidden fields of the form below a list, as a browser would post them. */
async function bulkFields({ get, at }: Team, query = ''): Promise<Record<string, string>> {
  return fieldsOf((await get(`${at}/records${query}`)).text, `${at}/records/bulk`)
}

const lastEvents = async ({ service }: Team) =>
  (await service.store.control.listAudit({ limit: 50 })).filter(({ act }) => act.startsWith('record.'))

test('those that are chosen are verified together, with one audit event that has their number and time', async () => {
  const team = await startTeam()
  const ids = [await team.save('One'), await team.save('Two'), await team.save('Three')]
  const form = new URLSearchParams({ ...(await bulkFields(team)), act: 'verify' })
  for (const id of ids.slice(0, 2)) form.append('id', id)
  const { place } = await team.postText(`${team.at}/records/bulk`, `${form}`)
  expect(place).toStartWith(`${team.at}/records?done=records.verified&n=2&undo=`)
  expect((await team.get(place ?? '')).text).toContain('role="status">2 records verified.')
  const records = await Promise.all(ids.map((id) => team.memory.findRecord(undefined, id)))
  expect(records.map((record) => record?.status)).toEqual(['verified', 'verified', 'unverified'])
  const [event, ...others] = await lastEvents(team)
  expect(event).toMatchObject({ act: 'record.verify', target: null, outcome: 'done', details: { records: 2 } })
  expect(records.slice(0, 2).map((record) => new Date(record?.verifiedAt ?? 0).toISOString())).toEqual(
    Array(2).fill(event?.details.verified_at),
  )
  expect(others.filter(({ act }) => act === 'record.verify')).toEqual([])
})

test('all of a filter are changed after a question, which says how many; what was saved since is not', async () => {
  const team = await startTeam()
  for (let i = 0; i < 60; i++) await team.save(`Note ${i}`, { workspace: i < 55 ? 'ops' : 'default' })
  const fields = { ...(await bulkFields(team, '?workspace=ops')), act: 'forget', all: 'yes' }
  await team.save('Saved since', { workspace: 'ops' })
  const asked = await team.post(`${team.at}/records/bulk`, fields)
  expect(asked.text).toContain('<h1>Forget 55 records?</h1>')
  expect((await team.memory.readUsage()).records).toBe(61)
  const again = { ...fieldsOf(asked.text, `${team.at}/records/bulk`), confirmed: 'yes' }
  expect((await team.post(`${team.at}/records/bulk`, again)).place).toStartWith(
    `${team.at}/records?workspace=ops&done=records.forgotten&n=55&undo=`,
  )
  expect((await team.memory.readUsage()).records).toBe(6)
  expect((await lastEvents(team))[0]).toMatchObject({ act: 'record.forget', details: { records: 55 } })

  const trash = fieldsOf((await team.get(`${team.at}/trash`)).text, `${team.at}/trash/bulk`)
  const restored = await team.post(`${team.at}/trash/bulk`, { ...trash, act: 'restore', all: 'yes', confirmed: 'yes' })
  expect(restored.place).toStartWith(`${team.at}/trash?done=records.restored&n=55&undo=`)
  expect((await team.memory.readUsage()).records).toBe(61)
  const undo = fieldsOf((await team.get(restored.place ?? '')).text, `${team.at}/records/bulk`)
  const undone = await team.post(`${team.at}/records/bulk`, undo)
  expect(undone.place).toStartWith(`${team.at}/trash?done=records.forgotten&n=55&undo=`)
})

test('what was saved since is not changed either where the filter ends later, such as with this day', async () => {
  const team = await startTeam()
  await team.save('Listed')
  for (const [listed, until] of ['2026-01-15', '2026-01-15T23:00:00Z', '2027-01-01'].entries()) {
    const fields = { ...(await bulkFields(team, `?until=${until}`)), act: 'verify', all: 'yes' }
    await team.save(`Saved since ${until}`)
    expect((await team.post(`${team.at}/records/bulk`, fields)).text).toContain(
      `<h1>Verify ${countOf(listed + 1, 'record')}?</h1>`,
    )
  }
})

test('verifying many leaves out those that contradict another record, and says so', async () => {
  const team = await startTeam()
  const older = await team.save('The port is 8080', { fact_key: 'port' })
  await team.post(`${team.at}/records/${older}/verify`)
  const newer = await team.save('The port is 9090', { fact_key: 'port' })
  await team.save('Another')
  const fields = { ...(await bulkFields(team)), act: 'verify', all: 'yes', confirmed: 'yes' }
  const { place } = await team.post(`${team.at}/records/bulk`, fields)
  expect(place).toContain('n=1&contested=2')
  expect((await team.get(place ?? '')).text).toContain(
    'Left out, because they contradict another record: 2. Choose under Review.',
  )
  expect(await team.standing(newer)).toMatchObject({ status: 'unverified' })
})

test('records move to another workspace and keep their state', async () => {
  const team = await startTeam()
  const id = await team.save('Deploys go to Frankfurt', { source_id: 'a.md', source_hash: '1' })
  await team.post(`${team.at}/records/${id}/verify`)
  const form = { ...(await bulkFields(team)), act: 'move', to: 'ops', id }
  expect((await team.post(`${team.at}/records/bulk`, form)).place).toContain('done=records.moved&n=1')
  const listed = (await team.get(`${team.at}/records?workspace=ops&freshness=fresh&status=verified`)).text
  expect(listed).toContain('Deploys go to Frankfurt')
})

test('who sees records is changed by their author; owners and admins may give those of others to everybody', async () => {
  const team = await startTeam()
  const { ben, at, save, url, service, org, account } = team
  const own = await save('Ben’s own', {}, 'ben')
  const ofOwner = await save('The owner’s')
  const form = new URLSearchParams({
    ...fieldsOf((await ben.get(`${at}/records`)).text, `${at}/records/bulk`),
    act: 'scope',
    to_scope: 'draft',
  })
  for (const id of [own, ofOwner]) form.append('id', id)
  expect((await ben.postText(`${at}/records/bulk`, `${form}`)).place).toContain('done=records.scoped&n=1&foreign=1')
  expect(await team.memory.findRecord(undefined, own)).toMatchObject({
    audience: `a:${ben.member.id}`,
    content: 'Ben’s own',
  })
  expect((await team.get(`${at}/records`)).text).not.toContain('Ben’s own')
  expect((await ben.call('search', { query: 'own', scope: 'draft' })).text).toContain('Ben’s own')

  const sales = await save('For sales', { scope: 'department' }, 'ben')
  const [department] = await service.store.control.list('departments', { accountId: account.id })
  const cy = await org.addMember('Cy', { role: 'admin', ...(department && { department }) })
  const asCy = await inSession(service, url, cy)
  const shared = {
    ...fieldsOf((await asCy.get(`${at}/records`)).text, `${at}/records/bulk`),
    act: 'scope',
    to_scope: 'shared',
    id: sales,
  }
  const { place } = await asCy.post(`${at}/records/bulk`, shared)
  expect(place).toContain('done=records.scoped&n=1')
  expect((await team.get(`${at}/records`)).text).toContain('For sales')
})

test('nobody changes records that they do not see, and none or an unknown act is refused', async () => {
  const team = await startTeam()
  const draft = await team.save('Ben drafts', { scope: 'draft' }, 'ben')
  await team.save('Visible')
  const fields = await bulkFields(team)
  for (const act of ['verify', 'forget', 'move', 'scope']) {
    const form = { ...fields, act, id: draft, to: 'ops', to_scope: 'shared' }
    const { status, text } = await team.post(`${team.at}/records/bulk`, form)
    expect([act, status]).toEqual([act, 400])
    expect(text).not.toContain('Ben drafts')
  }
  expect(await team.standing(draft)).toMatchObject({
    status: 'unverified',
    forgottenAt: null,
    audience: `a:${team.ben.member.id}`,
  })
  expect((await team.post(`${team.at}/records/bulk`, { ...fields, act: 'verify' })).text).toContain(
    'Choose at least one record.',
  )
  expect((await team.post(`${team.at}/records/bulk`, { ...fields, act: 'explode', id: draft })).status).toBe(400)
  const all = { ...fields, act: 'forget', all: 'yes' }
  expect((await team.post(`${team.at}/records/bulk`, all)).text).toContain('<h1>Forget 1 record?</h1>')
})

test('what is wrong with an act on many is said at its field, and what was chosen and typed stays so', async () => {
  const { postText, at, save } = await startTeam()
  const [chosen, other] = [await save('The first'), await save('The second')]
  for (const [to, reason] of [
    ['', 'Name the workspace to move the records to.'],
    ['no such name!', 'Workspace must be 1 to 64 letters'],
  ] as const) {
    const { status, text } = await postText(
      `${at}/records/bulk`,
      new URLSearchParams({ id: chosen, act: 'move', to }).toString(),
    )
    expect(status).toBe(400)
    expect(text).toMatch(/<input name="to"[^>]* aria-describedby="to-fault" aria-invalid="true"/)
    expect(text).toContain(`id="to-fault">${reason}`)
    expect(text).toContain(`<input name="to" value="${to}"`)
    expect(text).toMatch(new RegExp(`value="${chosen}"[^>]* checked>`))
    expect(text).not.toMatch(new RegExp(`value="${other}"[^>]* checked>`))
  }
})
