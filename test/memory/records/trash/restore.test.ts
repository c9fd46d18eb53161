import { expect, test } from 'bun:test'
import { rejectionOf } from '../../../rejection-of.ts'
import { openStartedCli } from '../../../run-cli.ts'

const restore = (id: string) => ['record', 'restore', id, '--project', 'default']

type Shown = { id: string; status: string; superseded_by: string | null; stale: boolean; workspace: string }
type Restored = { restored: { id: string; workspace: string; superseded_by: string | null }[] }

test('a forgotten record comes back into its workspace as it was', async () => {
  const { remember, forget, search, json } = await openStartedCli()
  const { id } = await remember({ content: 'Deploys go to Frankfurt', workspace: 'ops', fact_key: 'deploy.region' })
  await forget({ id })
  expect(await search('deploys', { workspace: 'ops' })).toEqual([])
  expect(await json<Restored>(restore(id))).toEqual({
    restored: [{ id, workspace: 'ops', superseded_by: null }],
    refused: [],
  } as Restored)
  expect(await search('deploys', { workspace: 'ops' })).toMatchObject([
    { id, status: 'unverified', fact_key: 'deploy.region' },
  ])
})

test('a record of a removed workspace comes back into a new one of its name, as fresh as it was', async () => {
  const { remember, search, json } = await openStartedCli()
  const { id } = await remember({ content: 'pnpm is used', workspace: 'old', source_id: 'a.md', source_hash: 'h1' })
  await json(['workspace', 'remove', 'old', '--project', 'default'])
  expect(await rejectionOf(search('pnpm', { workspace: 'old' }))).toContain("workspace 'old' is not active")
  await json(restore(id))
  expect(await search('pnpm', { workspace: 'old' })).toMatchObject([{ id }])
})

test('a record of a removed workspace comes back into the active one of its name', async () => {
  const { remember, search, json } = await openStartedCli()
  const { id } = await remember({ content: 'apple pie', workspace: 'old' })
  await json(['workspace', 'remove', 'old', '--project', 'default'])
  await remember({ content: 'apple cake', workspace: 'old' })
  await json(restore(id))
  expect(await search('apple', { workspace: 'old' })).toHaveLength(2)
  expect(await json<unknown[]>(['workspace', 'list', '--project', 'default'])).toHaveLength(1)
})

test('a record whose fact key a newer one took comes back as superseded by it', async () => {
  const { remember, forget, pass, json, search } = await openStartedCli()
  const older = await remember({ content: 'Deploys go to Frankfurt', fact_key: 'deploy.region' })
  await forget({ id: older.id })
  pass(1000)
  const newer = await remember({ content: 'Deploys go to Dublin', fact_key: 'deploy.region' })
  expect((await json<Restored>(restore(older.id))).restored).toEqual([
    { id: older.id, workspace: 'default', superseded_by: newer.id },
  ])
  expect(await search('deploys')).toMatchObject([
    { id: newer.id, status: 'unverified' },
    { id: older.id, status: 'superseded', superseded_by: newer.id, stale: true },
  ])
})

test('a record that comes back as superseded supersedes what it had superseded, also where that says what the current one says', async () => {
  const { remember, forget, pass, json } = await openStartedCli()
  const save = async (content: string, source_id: string) => {
    pass(1000)
    return remember({ content, fact_key: 'port', source_id })
  }
  const oldest = await save('The port is 8080', 'a.md')
  const correction = await save('The port is 9090', 'b.md')
  const newest = await save('The port is 8080', 'c.md')
  const list = async () => {
    const listed = await json<Shown[]>(['record', 'list', '--project', 'default'])
    return listed.map(({ id, superseded_by }) => ({ id, superseded_by }))
  }
  const before = await list()
  expect(before).toEqual([
    { id: newest.id, superseded_by: null },
    { id: correction.id, superseded_by: newest.id },
    { id: oldest.id, superseded_by: correction.id },
  ])
  expect(await forget({ id: correction.id })).toMatchObject({ current_again: [{ id: oldest.id }] })
  await json(restore(correction.id))
  expect(await list()).toEqual(before)
})

test('a newer record that comes back into a workspace takes its fact key again', async () => {
  const { remember, pass, json } = await openStartedCli()
  const workspace = 'old'
  const first = await remember({ content: 'Deploys go to Dublin', fact_key: 'deploy.region', workspace })
  await json(['workspace', 'remove', workspace, '--project', 'default'])
  pass(1000)
  const second = await remember({ content: 'Deploys go to Paris', fact_key: 'deploy.region', workspace })
  await json(['workspace', 'remove', workspace, '--project', 'default'])
  await json(restore(first.id))
  await json(restore(second.id))
  const listed = await json<Shown[]>(['record', 'list', '--project', 'default'])
  expect(listed).toMatchObject([
    { id: second.id, status: 'unverified', superseded_by: null },
    { id: first.id, status: 'superseded', superseded_by: second.id },
  ])
})

test('what comes back counts against the plan', async () => {
  const { remember, forget, run, asCaller, account } = await openStartedCli()
  await asCaller(({ store }) =>
    store.control.write((tx) => tx.update('accounts', { id: account.id }, { limits: { records: 1 } })),
  )
  const first = await remember({ content: 'one' })
  await forget({ id: first.id })
  await remember({ content: 'two' })
  const { status, out } = await run(restore(first.id))
  expect({ status, out }).toEqual({ status: 1, out: `not restored ${first.id}: project memory limit exceeded\n` })
})

test('a record that was saved again meanwhile does not come back beside itself', async () => {
  const { remember, forget, run, search } = await openStartedCli()
  const older = await remember({ content: 'Deploys go to Frankfurt' })
  await forget({ id: older.id })
  const newer = await remember({ content: 'Deploys go to Frankfurt' })
  const { status, out } = await run(restore(older.id))
  expect({ status, out }).toMatchObject({
    status: 1,
    out: expect.stringContaining(`was saved again meanwhile, as '${newer.id}'`),
  })
  expect(await search('deploys')).toMatchObject([{ id: newer.id }])
})
