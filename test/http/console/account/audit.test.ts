import { expect, test } from 'bun:test'
import { recordEventAlone } from '../../../../src/account/audit/audit.ts'
import { COMMAND_LINE } from '../../../../src/account/auth/actor.ts'
import { moveMember, removeMember } from '../../../../src/account/organizations/change-member.ts'
import { toActor } from '../../../builders/organization.ts'
import { connectTo } from '../../oauth/flow.ts'
import { startOrganization } from '../organization.ts'

const PATH = '/console/audit'

/** The lines of a page as a person reads them: the text of each cell. */
function toLines(text: string): string[][] {
  const rows = [...text.matchAll(/<tr><td.*?<\/tr>/gs)]
  const cells = rows.map(([row]) => [...row.matchAll(/<td[^>]*>(.*?)<\/td>/gs)].map(([, cell = '']) => cell))
  return cells.map((row) =>
    row.map((cell) =>
      cell
        .replace(/<[^>]+>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    ),
  )
}

test('says who did what, on what, where, from where, and how it ended, in names', async () => {
  const { at, get, member, held, asAdmin, asMember, org } = await startOrganization()
  const stones = await org.addDepartment('Stones')
  await asAdmin.post(`/console/people/${member.id}`, { role: 'member', department: stones.id })
  await asMember.post(`${at}/keys/${held.key.id}/rotate`, { overlap: '1h' })
  const lines = toLines((await get(PATH)).text).map(([, ...rest]) => rest)
  expect(lines.slice(0, 3)).toEqual([
    [
      'Mel from 127.0.0.1',
      'key.rotate',
      `Mel’s laptop (svc_${held.key.shown}…) in default`,
      'done',
      expect.stringMatching(/^to: Mel’s laptop \(svc_\w{8}…\) overlap seconds: 3600$/),
    ],
    ['Ada from 127.0.0.1', 'member.move', 'Mel', 'done', 'from: none to: Stones'],
    ['operator from command line', 'department.add', 'Stones', 'done', 'name: Stones'],
  ])
})

test('names people who were removed, connections and invitations, and leaves what is nowhere kept as it is', async () => {
  const { get, post, service, account, owner, member, url, secret } = await startOrganization()
  await moveMember(service, COMMAND_LINE, { member, department: undefined })
  await removeMember(service, await toActor(service, owner), member)
  await connectTo(url).connect(secret)
  await post('/console/people/invitations', { email: 'bob@example.org', role: 'member', days: '7' })
  const gone = service.random.uuid(0)
  await recordEventAlone(service, COMMAND_LINE, { act: 'record.restore', accountId: account.id, target: gone })
  const on = toLines((await get(PATH)).text).map(([, who, what, target]) => [who, what, target])
  expect(on.slice(0, 5)).toEqual([
    ['operator from command line', 'record.restore', gone],
    ['Owner from 127.0.0.1', 'member.invite', 'bob@example.org'],
    ['Owner from 127.0.0.1', 'connection.open', 'Assistant in default'],
    ['Owner from 192.0.2.1', 'member.remove', 'Mel'],
    ['operator from command line', 'member.move', 'Mel'],
  ])
})

test('shows one act only where asked, and pages without losing that or a line', async () => {
  const { get, service, account } = await startOrganization()
  for (let i = 0; i < 120; i++) {
    await recordEventAlone(service, COMMAND_LINE, { act: i % 2 ? 'test.odd' : 'test.even', accountId: account.id, target: `number ${i}` })
  }
  const seen: string[] = []
  let next: string | undefined = `${PATH}?act=test.odd`
  while (next !== undefined) {
    const { text } = await get(next)
    const lines = toLines(text)
    expect(lines.length).toBeLessThanOrEqual(50)
    seen.push(...lines.map(([, , , target = '']) => target))
    next = /href="([^"]+)">Older/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  expect(seen).toEqual(Array.from({ length: 60 }, (_, i) => `number ${119 - 2 * i}`))
  expect((await get(`${PATH}?act=nothing`)).text).toContain('No lines of this act.')
  expect((await get(`${PATH}?before=x`)).status).toBe(200)
})

test('shows nothing of another account', async () => {
  const { asStranger, get, held } = await startOrganization()
  await asStranger.post('/console/people/departments', { name: 'Theirs' })
  await asStranger.post('/console/people/departments', { name: held.key.id })
  expect((await get(PATH)).text).not.toContain('Theirs')
  const { text } = await asStranger.get(PATH)
  expect(text).toContain('Theirs')
  expect(text).not.toContain('Mel')
})
