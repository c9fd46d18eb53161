import { expect, test } from 'bun:test'
import { rememberAs } from '../as-caller.ts'
import { rejectionOf } from '../rejection-of.ts'
import { openStartedCli } from '../run-cli.ts'

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
  expect({ status, err }).toEqual({ status: 1, err: "memsvc: workspace 'nowhere' is not active\n" })
})
