import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { changeMember } from '../../../src/account/organizations/change-member.ts'
import { rememberAs } from '../../as-caller.ts'
import { openStartedCli } from '../../run-cli.ts'

type Started = Awaited<ReturnType<typeof openStartedCli>>
type Line = Record<string, unknown> & { id: string; content: string }

const exportOf = async ({ run }: Started, project: string, ...words: string[]) =>
  (await run(['export', '--project', project, ...words])).out
const toLines = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)

/** A project with something of everything that a record can be. */
async function openRichProject() {
  const cli = await openStartedCli()
  const department = await cli.onOrganization((org) => org.addDepartment('Research'))
  await cli.onService((service) => changeMember(service, COMMAND_LINE, { member: cli.owner, department }))
  await cli.remember({
    content: 'seen by everybody\nin two lines, "quoted" \u2028',
    fact_key: 'a',
    asked_as: ['who sees it', '“visible” to whom'],
  })
  await cli.remember({ content: 'only mine', scope: 'draft', expires_at: '2030-01-31T12:00:00.5+02:00' })
  await cli.remember({ content: 'for research', scope: 'department', workspace: 'lab' })
  cli.pass(1000)
  await cli.remember({ content: 'the other a', fact_key: 'a' })
  await cli.remember({ content: '日本語のメモ 🗾', source_id: 'x.md', source_hash: 'h1' })
  await cli.remember({ content: 'newer', source_id: 'x.md', source_hash: 'h2' })
  await cli.remember({ content: 'older', source_id: 'x.md', source_hash: 'h1', scope: 'draft' })
  const { id } = await cli.remember({ content: 'to be forgotten', source_id: 'y.md', source_hash: 'h2' })
  await cli.remember({ content: 'left alone and stale', source_id: 'y.md', source_hash: 'h1' })
  cli.pass(11 * 60_000)
  await cli.remember({ content: 'to be forgotten', source_id: 'y.md', source_hash: 'h2' })
  await cli.forget({ id })
  const verified = await cli.remember({ content: 'confirmed', fact_key: 'v' })
  await cli.asCaller(({ store }) =>
    store
      .project(cli.project.id)
      .write((tx) => tx.updateRecord(verified.id, { status: 'verified', verifiedAt: cli.now() })),
  )
  await cli.remember({ content: 'speaks against it', fact_key: 'v' })
  return cli
}

test('an export imported into an empty project gives the same export again', async () => {
  const cli = await openRichProject()
  const before = await exportOf(cli, 'default')
  expect(toLines(before)).toHaveLength(10)
  expect(before).not.toContain('to be forgotten')
  await cli.json(['project', 'add', 'copy'])
  cli.pass(5000)
  expect(await cli.json(['import', '-', '--project', 'copy'], before)).toMatchObject({ saved: 10, refused: 0 })
  expect(await exportOf(cli, 'copy')).toBe(before)
})

test('two workspaces whose names differ only in case stay two, and a wished one is found in another case', async () => {
  const cli = await openStartedCli()
  await cli.remember({ content: 'Pumps are serviced in May', workspace: 'Ops' })
  await cli.asCaller(({ store }) => store.project(cli.project.id).write((tx) => tx.insertWorkspace('ops', cli.now())))
  await cli.remember({ content: 'Valves are serviced in June', workspace: 'ops' })
  const before = await exportOf(cli, 'default')
  const importInto = async (project: string, text: string, ...words: string[]) => {
    await cli.json(['project', 'add', project])
    expect(await cli.json(['import', '-', '--project', project, ...words], text)).toMatchObject({
      saved: 2,
      refused: 0,
    })
  }
  await importInto('copy', before)
  expect(await exportOf(cli, 'copy')).toBe(before)

  // Neither has it to be there first, nor its twin.
  const [ops = '', valves = ''] = before.trimEnd().split('\n')
  await importInto('reversed', `${valves}\n${ops}\n`)
  const workspacesOf = async (project: string) =>
    toLines(await exportOf(cli, project)).map(({ workspace }) => workspace)
  expect((await workspacesOf('reversed')).sort()).toEqual(['Ops', 'ops'])
  await importInto('wished', before, '--workspace', 'OPS')
  expect(
    await cli.json(['import', '-', '--project', 'wished', '--workspace', 'ops'], '{"content": "Filters are new"}'),
  ).toMatchObject({
    saved: 1,
  })
  expect(await workspacesOf('wished')).toEqual(['OPS', 'OPS', 'OPS'])
})

test('the copy is as fresh and as stale as the original, for whoever asks', async () => {
  const cli = await openRichProject()
  await cli.json(['project', 'add', 'copy'])
  await cli.json(['import', '-', '--project', 'copy'], await exportOf(cli, 'default'))
  const staleOf = async (project: string) => {
    const records = await cli.json<{ content: string; stale: boolean; status: string }[]>([
      'record',
      'list',
      '--project',
      project,
    ])
    return records.map(({ content, stale, status }) => ({ content, stale, status }))
  }
  const original = await staleOf('default')
  expect(original.find(({ content }) => content === 'left alone and stale')?.stale).toBe(true)
  expect(await staleOf('copy')).toEqual(original)
})

test('the same export again saves nothing, and what was forgotten meanwhile stays so', async () => {
  const cli = await openRichProject()
  const text = await exportOf(cli, 'default')
  const [first] = toLines(text)
  await cli.forget({ id: first?.id ?? '' })
  expect(await cli.json(['import', '-', '--project', 'default'], text)).toMatchObject({
    saved: 0,
    there: 9,
    forgotten: 1,
    refused: 0,
  })
  expect(toLines(await exportOf(cli, 'default'))).toHaveLength(9)
})

test('an import that was cut short and called again comes to the same', async () => {
  const cli = await openRichProject()
  const before = await exportOf(cli, 'default')
  await cli.json(['project', 'add', 'copy'])
  const half = before.split('\n').slice(0, 7).join('\n')
  await cli.json(['import', '-', '--project', 'copy'], half)
  expect(await cli.json(['import', '-', '--project', 'copy'], before)).toMatchObject({ saved: 3, there: 7 })
  expect(await exportOf(cli, 'copy')).toBe(before)
})

test('exports one workspace, and imports into another', async () => {
  const cli = await openRichProject()
  const lab = await exportOf(cli, 'default', '--workspace', 'lab')
  expect(toLines(lab)).toMatchObject([{ content: 'for research', workspace: 'lab', scope: 'department' }])
  await cli.json(['project', 'add', 'copy'])
  await cli.json(['import', '-', '--project', 'copy', '--workspace', 'moved'], lab)
  expect(toLines(await exportOf(cli, 'copy'))).toMatchObject([{ content: 'for research', workspace: 'moved' }])
})

test('another account: shared records become the importer’s, drafts and departments of strangers are refused', async () => {
  const from = await openRichProject()
  const to = await openStartedCli()
  const { status, out, err } = await to.run(['import', '-', '--project', 'default', '--member', 'owner@localhost'], {
    input: await exportOf(from, 'default'),
  })
  expect(status).toBe(1)
  expect(out).toBe(
    '7 saved, 0 existed already, 3 refused\n7 of the saved records name an author that the account does not know; they are now by whoever imported them\n',
  )
  expect(err).toStartWith(
    'line 2: its author is not in this account, and only its author sees a draft\nline 3: the account has no department ',
  )
  expect(toLines(await exportOf(to, 'default'))[0]).toMatchObject({ author: 'Owner', author_id: to.owner.id })
})

test('a newer record that is there already supersedes the imported one of its fact key, and the other way round', async () => {
  const cli = await openStartedCli()
  const entry = (content: string, id: string, created_at: string) =>
    JSON.stringify({ content, id, created_at, fact_key: 'deploy.region', status: 'unverified' })
  const there = await cli.remember({ content: 'Frankfurt', fact_key: 'deploy.region' })
  await cli.json(
    ['import', '-', '--project', 'default'],
    entry('Dublin', '01a1f8ce-2ed7-71b5-91e5-000000000001', '2020-01-01'),
  )
  expect(await cli.search('dublin')).toMatchObject([{ status: 'superseded', superseded_by: there.id }])
  const newest = '01a1f8ce-2ed7-71b5-91e5-000000000002'
  await cli.json(['import', '-', '--project', 'default'], entry('Paris', newest, '2040-01-01'))
  expect(await cli.search('frankfurt')).toMatchObject([{ status: 'superseded', superseded_by: newest }])
})

test('authors keep their records when a colleague imports them', async () => {
  const cli = await openStartedCli()
  const colleague = await cli.onOrganization((org) => org.addMember('Ada'))
  await cli.asCaller((service, caller) =>
    rememberAs(service, { ...caller, authorId: colleague.id }, { content: 'hers', scope: 'draft' }),
  )
  const text = await exportOf(cli, 'default')
  await cli.json(['project', 'add', 'copy'])
  await cli.json(['import', '-', '--project', 'copy', '--member', 'owner@localhost'], text)
  expect(toLines(await exportOf(cli, 'copy'))).toMatchObject([
    { content: 'hers', author: 'Ada', author_id: colleague.id },
  ])
})

test('a superseded record whose successor is not imported is current where nothing else holds', async () => {
  const cli = await openStartedCli()
  const entry = (more: object) => JSON.stringify({ fact_key: 'deploy.region', created_at: '2020-01-01', ...more })
  const [older, oldest] = ['01a1f8ce-2ed7-71b5-91e5-000000000001', '01a1f8ce-2ed7-71b5-91e5-000000000002']
  const superseded = { status: 'superseded', superseded_by: '01a1f8ce-2ed7-71b5-91e5-000000000009' }
  const lines = [
    entry({ ...superseded, content: 'Dublin', id: oldest, created_at: '2019-01-01' }),
    entry({ ...superseded, content: 'Frankfurt', id: older, verified_at: '2020-02-01' }),
  ]
  await cli.json(['import', '-', '--project', 'default'], lines.join('\n'))
  const listed = await cli.json<{ id: string; status: string; superseded_by?: string | null }[]>([
    'record',
    'list',
    '--project',
    'default',
  ])
  expect(new Map(listed.map(({ id, status }) => [id, status]))).toEqual(
    new Map([
      [older, 'verified'],
      [oldest, 'superseded'],
    ]),
  )
})
