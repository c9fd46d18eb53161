import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { openStartedCli } from '../run-cli.ts'

const EXAMPLES = join(import.meta.dir, '../../examples/team.jsonl')
const searching = (query: string, ...words: string[]) => ['search', query, '--project', 'default', ...words]

test('finds what was imported, as the first steps say', async () => {
  const { run } = await openStartedCli()
  await run(['import', EXAMPLES, '--project', 'default'])
  const { status, out } = await run(searching('when may we deploy?'))
  expect(status).toBe(0)
  expect(out.split('\n')[1]).toContain('We deploy on Tuesday and Thursday before noon')
})

test('sees drafts only as the member who wrote them', async () => {
  const { json, remember } = await openStartedCli()
  await remember({ content: 'shared' })
  await remember({ content: 'a draft', scope: 'draft' })
  expect(await json(searching('draft'))).toMatchObject({ result: [], hint: { workspace: '*' } })
  expect(await json(searching('draft', '--member', 'owner@localhost'))).toMatchObject({
    result: [{ content: 'a draft' }],
  })
})

test('an empty project has an empty answer; what the tool refuses is refused, and a limit that is none', async () => {
  const { run } = await openStartedCli()
  for (const everywhere of [[], ['--workspace', '*'], ['--explain']])
    expect(await run(searching('x', ...everywhere))).toEqual({
      status: 0,
      out: 'nothing found. Nothing is saved in this project yet.\n',
      err: '',
    })
  expect((await run(searching('x', '--workspace', 'default'))).err).toBe(
    "memsvc: workspace 'default' is not active\nNothing is saved in this project yet. The first save makes its workspace.\n",
  )
  expect(await run(searching('x', '--limit', '51'))).toMatchObject({
    status: 2,
    err: expect.stringContaining('from 1 to 50'),
  })
})

test('is narrowed as the tool is, lists with *, and says what else is to be known', async () => {
  const { run, json, remember } = await openStartedCli()
  await remember({ content: 'Deploys go to Dublin', source_id: 'docs/deploy.md', fact_key: 'deploy.region' })
  await remember({ content: 'Deploys are at noon', workspace: 'research' })
  const contents = async (...words: string[]) =>
    (await json<{ result: { content: string }[] }>(searching(...(words as [string])))).result.map(
      ({ content }) => content,
    )
  expect(await contents('*')).toEqual(['Deploys are at noon', 'Deploys go to Dublin'])
  expect(await contents('*', '--workspace', 'research')).toEqual(['Deploys are at noon'])
  expect(await contents('deploys', '--source', 'docs/deploy.md')).toEqual(['Deploys go to Dublin'])
  expect(await contents('deploys', '--author', 'Ana')).toEqual([])
  expect(
    await contents('deploy.region', '--status', 'unverified', '--scope', 'shared', '--since', '2026-01-01'),
  ).toEqual(['Deploys go to Dublin', 'Deploys are at noon'])
  expect((await run(searching('deploys in kubernetes', '--workspace', 'default'))).out).toContain(
    "\nNo record of workspace 'default' holds: kubernetes\n",
  )
  expect((await run(searching('deploys in kubernetes'))).out).toContain('\nNo record holds: kubernetes\n')
  expect(await contents('*', '--workspace', '*', '--offset', '1')).toEqual(['Deploys go to Dublin'])
  expect((await run(searching('*', '--limit', '1'))).out).toEndWith('\nThere are more: --offset 1\n')
  expect((await run(searching('deploys', '--since', 'soon'))).err).toStartWith('memsvc: since must be')
})

test('without a key and a project, says where the data was looked for', async () => {
  const { run, folder } = await openStartedCli()
  expect(await run(['search', 'lantern'], { environment: { HOME: folder, PATH: '', SVC_DATA_DIR: folder } })).toEqual({
    status: 2,
    out: '',
    err: expect.stringContaining(`search in the data folder '${folder}' by --project; SVC_DATA_DIR names another`),
  })
})

test('finds in all workspaces, and shows which they are unless all are in default', async () => {
  const { run, remember } = await openStartedCli()
  await remember({ content: 'the lantern is green' })
  expect((await run(searching('lantern'))).out).not.toContain('WORKSPACE')
  await remember({ content: 'the lantern is blue', workspace: 'cellar' })
  const { out } = await run(searching('blue lantern'))
  expect(out.split('\n').map((line) => line.split(/ {2,}/).filter((_, at) => at === 3 || at === 5))).toEqual([
    ['WORKSPACE', 'CONTENT'],
    ['cellar', 'the lantern is blue'],
    ['default', 'the lantern is green'],
    [],
  ])
  expect((await run(searching('blue lantern', '--explain'))).out).toMatch(/^0\.\d+ \(cellar\) {2}the lantern is blue\n/)
})

test('names other workspaces, where nothing is found here, and where they match clearly better, says how much', async () => {
  const { run, remember } = await openStartedCli()
  await remember({ content: 'the lantern is green', workspace: 'attic' })
  await remember({ content: 'the lantern is blue', workspace: 'cellar' })
  await remember({ content: 'the door is red' })
  const again = "search with --workspace '*', or with the name of one of them."
  expect((await run(searching('lantern', '--workspace', 'default'))).out).toBe(
    `nothing found. Records of other workspaces match: ${again}\nother workspaces: attic, cellar\n`,
  )
  expect((await run(searching('carpet', '--workspace', 'attic'))).out).toContain('give other wordings after --also.')
  const { out } = await run(searching('blue lantern', '--workspace', 'attic'))
  expect(out.split('\n').slice(2)).toEqual([
    'other workspaces: cellar',
    "No record of workspace 'attic' holds: blue",
    expect.stringMatching(/^Records of other workspaces match better \(0\.\d+, here 0\.\d+\): search with --workspace/),
    '',
  ])
})
