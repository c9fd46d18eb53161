import { expect, test } from 'bun:test'
import { findWorkspace } from '../../src/agent/brief/workspace.ts'
import { rememberAs } from '../as-caller.ts'
import { rejectionOf } from '../rejection-of.ts'
import { makeFolder, openStartedCli } from '../run-cli.ts'

test('lists the workspaces that were saved into', async () => {
  const { json, remember } = await openStartedCli()
  await remember({ content: 'one', workspace: 'research' })
  await remember({ content: 'two' })
  const listed = await json<{ name: string }[]>(['workspace', 'list', '--project', 'default'])
  expect(listed.map(({ name }) => name)).toEqual(['default', 'research'])
})

test('removes a workspace with its records; a save makes a new, empty one of the name', async () => {
  const { json, asCaller, remember, search } = await openStartedCli()
  await asCaller(async (service, caller) => {
    for (let i = 0; i < 120; i++) await rememberAs(service, caller, { content: `note number ${i}`, workspace: 'old' })
  })
  const removed = await json<{ forgotten: number }>(['workspace', 'remove', 'old', '--project', 'default'])
  expect(removed.forgotten).toBe(120)
  expect(await rejectionOf(search('note', { workspace: 'old' }))).toContain("workspace 'old' is not active")

  await remember({ content: 'a new note', workspace: 'old' })
  expect(await search('note', { workspace: 'old' })).toHaveLength(1)
})

test('refuses to remove a workspace that is not active', async () => {
  const { run } = await openStartedCli()
  const { status, err } = await run(['workspace', 'remove', 'nowhere', '--project', 'default'])
  expect({ status, err }).toEqual({
    status: 1,
    err: "memsvc: workspace 'nowhere' is not active\nNothing is saved in this project yet. The first save makes its workspace.\n",
  })
})

test('renames and merges workspaces, and a folder may choose one', async () => {
  const { run, json, remember, search } = await openStartedCli()
  await remember({ content: 'delivery on Tuesdays', fact_key: 'delivery', workspace: 'newshop' })
  await remember({ content: 'delivery on Thursdays', fact_key: 'delivery' })
  const project = ['--project', 'default']
  expect(await json<object>(['workspace', 'rename', 'newshop', 'shop', ...project])).toEqual({
    workspace: 'shop',
    renamed_from: 'newshop',
  })
  const merged = await json<object>(['workspace', 'merge', 'shop', 'default', ...project])
  expect(merged).toEqual({ workspace: 'default', merged: 'shop', moved: 1, there: 0 })
  const found = await search('delivery')
  expect(found.map(({ content, status }) => [content, status])).toEqual([
    ['delivery on Thursdays', 'unverified'],
    ['delivery on Tuesdays', 'superseded'],
  ])
  expect(await run(['workspace', 'merge', 'shop', 'default', ...project])).toMatchObject({
    status: 1,
    err: "memsvc: workspace 'shop' is not active\nRecords are in 'default'. Name one of these as workspace, or '*' for all of them in search.\n",
  })
  const environment = { HOME: await makeFolder(), SVC_STATE_DIR: await makeFolder() }
  const dir = await makeFolder()
  const used = await run(['workspace', 'use', 'shop', '--dir', dir], { environment })
  expect(used).toMatchObject({ status: 0, out: `sessions in ${dir} save into workspace 'shop' and search all\n` })
  expect(await findWorkspace(environment, dir, async () => false)).toBe('shop')
  expect((await run(['workspace', 'use', 'a/b', '--dir', dir], { environment })).err).toContain(
    'workspace must be 1 to 64 letters',
  )
})

test('names that differ only in case are named by the doctor, with what merges them into the oldest', async () => {
  const { run, json, remember } = await openStartedCli()
  await remember({ content: 'Pumps are serviced in May', workspace: 'ops' })
  const line = { id: '01a21f4c-4819-77cd-9138-000000000001', content: 'Valves are serviced in June', workspace: 'Ops' }
  await json(['import', '-', '--project', 'default'], JSON.stringify(line))
  const merge = 'memsvc workspace merge Ops ops --project default'
  const doctor = async () => (await run(['doctor'])).out
  expect(await doctor()).toMatch(new RegExp(`'Ops' and 'ops' differ only in case\n +→ '${merge}'`))
  await run(merge.split(' ').slice(1))
  expect(await doctor()).not.toContain('differ only in case')
})
