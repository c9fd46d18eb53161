import { afterAll, beforeAll, expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { renameWorkspace } from '../../../src/memory/workspaces/change-workspace.ts'
import { findTwinWorkspaces } from '../../../src/memory/workspaces/workspace.ts'
import { openTestService } from '../../start-service.ts'

let running: Awaited<ReturnType<typeof openTestService>>
beforeAll(async () => {
  running = await openTestService()
})
afterAll(() => running.stop())

test('a workspace is found by its name in another case, for saves, searches and checks', async () => {
  const { call, project } = running
  await call('remember', { content: 'Pumps are serviced in May', workspace: 'Ops', source_id: 'pumps.md' })
  const saved = await call('remember', {
    content: 'Valves are serviced in June',
    workspace: 'ops',
    source_id: 'valves.md',
  })
  expect(saved.structured?.result).toMatchObject({ workspace: 'Ops' })
  const found = await call('search', { query: 'serviced', workspace: 'OPS' })
  expect(found.structured?.result).toMatchObject([{ workspace: 'Ops' }, { workspace: 'Ops' }])
  expect((await call('validate_memory', { source_id: 'pumps.md', workspace: 'oPS' })).isError).toBe(false)
  expect((await call('search', { query: 'serviced', workspace: 'opz' })).text).toEndWith(
    "workspace 'opz' is not active",
  )

  const store = running.service.store.project(project.id)
  await store.write((tx) => tx.insertWorkspace('ops', 0))
  const exact = await call('remember', { content: 'Filters are serviced in July', workspace: 'ops' })
  expect(exact.structured?.result).toMatchObject({ workspace: 'ops' })
  expect((await call('search', { query: 'filters', workspace: 'ops' })).structured?.result).toHaveLength(1)
  expect((await call('search', { query: 'pumps', workspace: 'OPs' })).structured?.result).toHaveLength(1)
  expect(await findTwinWorkspaces(store)).toEqual([['Ops', 'ops']])
})

test('a workspace in which only another saved is not found in another case', async () => {
  const { as, org } = running
  const { ada, ben } = await org.addMembers({ ada: {}, ben: {} })
  const [ofAda, ofBen] = [as(await org.keyOf(ada)), as(await org.keyOf(ben))]
  await ofAda.call('remember', { content: 'a thought of Ada', workspace: 'Diary', scope: 'draft' })
  const saved = await ofBen.call('remember', { content: 'a thought of Ben', workspace: 'diary', scope: 'draft' })
  expect(saved.structured?.result).toMatchObject({ workspace: 'diary' })
})

test('a workspace may get its own name in another case, and no name of another one in any case', async () => {
  const { call, service, project } = running
  await call('remember', { content: 'Sheets are washed on Mondays', workspace: 'Laundry' })
  await call('remember', { content: 'Bread is baked at four', workspace: 'Bakery' })
  const rename = (name: string, newName: string) =>
    renameWorkspace(service, COMMAND_LINE, { projectId: project.id, name, newName })
  await rename('laundry', 'laundry')
  expect((await call('search', { query: 'sheets', workspace: 'Laundry' })).structured?.result).toMatchObject([
    { workspace: 'laundry' },
  ])
  await expect(rename('laundry', 'BAKERY')).rejects.toThrow("there is a workspace 'Bakery' already; merge the two")
})
