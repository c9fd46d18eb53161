import { expect, test } from 'bun:test'
import { rejectionOf } from '../rejection-of.ts'
import { openStartedCli } from '../run-cli.ts'

type Shown = { id: string; content: string; workspace: string; forgotten_at: string | null; author: string; stale: boolean }

const contents = (records: Shown[]) => records.map(({ content }) => content)

test('lists records by workspace and source, in their order of saving', async () => {
  const { json, remember } = await openStartedCli()
  await remember({ content: 'a', source_id: 'x.md' })
  await remember({ content: 'b', workspace: 'research' })
  await remember({ content: 'c', source_id: 'x.md', workspace: 'research' })
  const list = (...words: string[]) => json<Shown[]>(['record', 'list', '--project', 'default', ...words])
  expect(contents(await list())).toEqual(['a', 'b', 'c'])
  expect(contents(await list('--workspace', 'research'))).toEqual(['b', 'c'])
  expect(contents(await list('--source', 'x.md'))).toEqual(['a', 'c'])
  expect(contents(await list('--source', 'x.md', '--workspace', 'research'))).toEqual(['c'])
})

test('goes through a long list in parts', async () => {
  const { json, remember } = await openStartedCli()
  for (const content of ['a', 'b', 'c']) await remember({ content })
  const [, second] = await json<Shown[]>(['record', 'list', '--project', 'default', '--limit', '2'])
  expect(contents(await json<Shown[]>(['record', 'list', '--project', 'default', '--after', second?.id ?? '']))).toEqual(['c'])
})

test('shows a record with its author, forgotten or not', async () => {
  const { json, run, remember, forget } = await openStartedCli()
  const { id } = await remember({ content: 'Deploys go to Frankfurt', fact_key: 'deploy.region' })
  await forget({ id })
  const shown = await json<Shown>(['record', 'show', id, '--project', 'default'])
  expect(shown).toMatchObject({ id, content: 'Deploys go to Frankfurt', author: 'Owner', forgotten_at: expect.any(String) })
  const { out } = await run(['record', 'show', id, '--project', 'default'])
  expect(out).toContain('fact_key      deploy.region')
  expect(out).toEndWith('\n\nDeploys go to Frankfurt\n')
})

test('restores several forgotten records, and names the ones it cannot', async () => {
  const { json, run, remember, forget, search } = await openStartedCli()
  const [a, b, c] = [
    await remember({ content: 'apple pie' }),
    await remember({ content: 'apple cake' }),
    await remember({ content: 'apple jam' }),
  ]
  await forget({ id: a.id })
  await forget({ id: b.id })
  const forgotten = await json<Shown[]>(['record', 'list', '--project', 'default', '--forgotten'])
  expect(contents(forgotten)).toEqual(['apple pie', 'apple cake'])

  const { status, out, err } = await run(['record', 'restore', a.id, b.id, c.id, 'no-such-id', '--project', 'default'])
  expect(status).toBe(1)
  expect(out).toContain(`restored ${a.id} into 'default'\nrestored ${b.id} into 'default'\n`)
  expect(out).toContain(`not restored ${c.id}: record '${c.id}' is not forgotten\n`)
  expect(out).toContain("not restored no-such-id: no record 'no-such-id'\n")
  expect(err).toBe('memsvc: 2 of 4 records were not restored\n')
  expect(await search('apple')).toHaveLength(3)
})

test('lists the forgotten records of a removed workspace by its name', async () => {
  const { json, remember } = await openStartedCli()
  await remember({ content: 'gone', workspace: 'old' })
  await json(['workspace', 'remove', 'old', '--project', 'default'])
  const list = ['record', 'list', '--project', 'default', '--workspace', 'old']
  expect(contents(await json<Shown[]>([...list, '--forgotten']))).toEqual(['gone'])
  expect(await rejectionOf(json(list))).toContain("workspace 'old' is not active")
})

test('keeps a table to one line a record, without characters that a terminal obeys', async () => {
  const { run, remember } = await openStartedCli()
  await remember({ content: `first line\nsecond \u001b[31mline ${'x'.repeat(200)}` })
  const { out } = await run(['record', 'list', '--project', 'default'])
  expect(out.trimEnd().split('\n')).toHaveLength(2)
  expect(out).not.toContain('\u001b')
})

test('what the command line does to a project leaves a line in the audit log, without content', async () => {
  const { json, remember, forget, project } = await openStartedCli()
  const { id } = await remember({ content: 'secret plan' })
  await forget({ id })
  await json(['record', 'restore', id, '--project', 'default'])
  await json(['import', '-', '--project', 'default'], '{"content":"another plan","workspace":"old"}')
  await json(['workspace', 'remove', 'old', '--project', 'default'])
  const lines = await json<{ act: string; target: string | null }[]>(['audit'])
  const done = lines.map(({ act, target }) => [act, target])
  expect(done).toContainEqual(['record.restore', id])
  expect(done).toContainEqual(['project.import', project.id])
  expect(done).toContainEqual(['workspace.remove', 'old'])
  expect(JSON.stringify(lines)).not.toContain('plan')
})

test('verifies records and takes it back, and names what that superseded and what was refused', async () => {
  const { json, run, remember, search, pass } = await openStartedCli()
  const older = await remember({ content: 'Deploys go to Frankfurt', fact_key: 'deploy.region' })
  const of = ['--project', 'default']
  expect(await json(['record', 'verify', older.id, ...of])).toEqual({ verified: [{ id: older.id, superseded: [] }], refused: [] })
  pass(1000)
  const newer = await remember({ content: 'Deploys go to Dublin', fact_key: 'deploy.region' })
  expect(newer.conflicts_with).toMatchObject([{ id: older.id }])
  expect(await run(['record', 'verify', newer.id, older.id, ...of])).toEqual({
    status: 1,
    out: `verified ${newer.id}, superseding ${older.id}\nnot verified ${older.id}: record '${older.id}' is superseded by '${newer.id}'\n`,
    err: 'memsvc: 1 of 2 records were not verified\n',
  })
  expect(await search('deploys')).toMatchObject([
    { id: newer.id, status: 'verified' },
    { id: older.id, superseded_by: newer.id },
  ])
  expect(await json(['record', 'unverify', newer.id, ...of])).toMatchObject({ unverified: [{ id: newer.id, status: 'unverified' }] })
  expect((await run(['record', 'unverify', newer.id, ...of])).err).toBe('memsvc: 1 of 1 records were not unverified\n')
  const lines = await json<{ act: string; actor: string }[]>(['audit', '--act', 'record.verify'])
  expect(lines).toMatchObject([
    { actor: 'operator', details: { superseded: older.id } },
    { actor: 'operator', details: {} },
  ])
})
