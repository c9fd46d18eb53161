import { expect, test } from 'bun:test'
import { actingAs } from '../../src/account/auth/caller.ts'
import { yieldIfDue } from '../../src/cooperative.ts'
import { BATCH_WORKSPACES, eachWorkspaceBatch } from '../../src/memory/workspaces/workspace.ts'
import { rememberAs } from '../as-caller.ts'
import { commandsBeside } from '../command-line.ts'
import { startTeam } from '../http/console/team.ts'
import { startService } from '../start-service.ts'

const FULL = 'project memory limit exceeded (workspaces)'

/** A team whose project has this many workspaces, and one more that holds only a draft of Ben's. */
async function startWithWorkspaces(count: number) {
  const running = await startTeam()
  const { service, account, project, owner, ben } = running
  const asOwner = actingAs(account, project, owner)
  const save = (at: number) =>
    rememberAs(service, asOwner, { content: `note ${at}`, workspace: `area-${String(at).padStart(3, '0')}` })
  await Promise.all(Array.from({ length: count }, (_, at) => save(at)))
  await ben.call('remember', { content: 'a draft', scope: 'draft', workspace: 'area-000-of-ben' })
  return { ...running, ...commandsBeside(service) }
}

const namesOn = (page: string) =>
  [...page.matchAll(/data-label="Name"[^>]*><bdi>([^<]+)/g)].map(([, name = '']) => name)

test('a page of the console reads and shows a bounded part of the workspaces, in order of name', async () => {
  const { get, at } = await startWithWorkspaces(120)
  const seen: string[] = []
  for (let path: string | undefined = `${at}/settings`; path !== undefined; ) {
    const { text } = await get(path)
    const names = namesOn(text)
    expect(names.length).toBeLessThanOrEqual(50)
    seen.push(...names)
    path = /<p class="older"><a href="([^"]+)">More/.exec(text)?.[1]?.replaceAll('&amp;', '&')
  }
  expect(seen).toEqual(Array.from({ length: 120 }, (_, at) => `area-${String(at).padStart(3, '0')}`))
})

test('the records page offers the first names, takes any, and tells nobody of a workspace of others', async () => {
  const { get, at, ben } = await startWithWorkspaces(60)
  const { text } = await get(`${at}/records`)
  expect(text.match(/<option value="area-/g)).toHaveLength(50)
  expect(text).toContain('list="workspace-list"')
  expect(text).not.toContain('area-000-of-ben')
  expect((await get(`${at}/records?workspace=area-059`)).text).toContain('note 59')
  expect((await ben.get(`${at}/records`)).text).toContain('area-000-of-ben')
})

test('no workspace has the name of a folder itself or of the one above', async () => {
  const { call } = await startService()
  for (const workspace of ['.', '..'])
    expect(await call('remember', { content: 'a note', workspace })).toBeToolError(
      "workspace must be 1 to 64 letters, digits, '.', '_' or '-', and not '.' or '..'",
    )
  expect((await call('remember', { content: 'a note', workspace: '...' })).isError).toBe(false)
})

test('the plan bounds the workspaces of a project; those that are there stay usable', async () => {
  const { call, json, service, project } = await startWithWorkspaces(0)
  await json('account', 'limits', '--workspaces', '3')
  const save = (workspace: string, content = 'a note') => call('remember', { content, workspace })
  expect((await save('second')).isError).toBe(false)
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((name) => save(name)))
  expect(answers.filter(({ isError }) => !isError)).toHaveLength(1)
  expect(await save('one-more')).toBeToolError(FULL)
  expect((await save('second', 'another note')).isError).toBe(false)
  expect(await service.store.project(project.id).countWorkspaces()).toBe(3)
})

test('an import and a restore make no workspace beyond the plan', async () => {
  const { save, json, memsvc, service } = await startWithWorkspaces(0)
  const id = await save('to be restored', { workspace: 'old' })
  await json('workspace', 'remove', 'old', '--project', 'default')
  await json('account', 'limits', '--workspaces', '1')
  const restore = () => memsvc('record', 'restore', id, '--project', 'default')
  expect(await restore()).toMatchObject({ status: 1, out: expect.stringContaining(FULL) })
  const file = `${service.config.dataDir}/in.jsonl`
  await Bun.write(file, '{"content":"here","workspace":"area-000-of-ben"}\n{"content":"there","workspace":"new"}\n')
  expect((await memsvc('import', file, '--project', 'default')).err).toContain(FULL)
  await json('account', 'limits', '--workspaces', '2')
  expect((await restore()).status).toBe(0)
})

test('the plans allow 20, 200, 2 000 and 50 000 workspaces', async () => {
  const { json, get } = await startWithWorkspaces(0)
  const allowed: unknown[] = []
  for (const plan of ['free', 'team', 'business', 'self-hosted']) {
    const { limits } = await json<{ limits: { workspaces: number } }>('subscription', 'set', '--plan', plan)
    allowed.push(limits.workspaces)
  }
  expect(allowed).toEqual([20, 200, 2_000, 50_000])
  expect((await get('/console/account')).text).toContain('Workspaces per project')
})

test('the command line lists all of them, in pieces, as one JSON value or as a table', async () => {
  const { json, memsvc } = await startWithWorkspaces(501)
  const listed = await json<{ name: string }[]>('workspace', 'list', '--project', 'default')
  expect(listed.map(({ name }) => name)).toEqual(listed.map(({ name }) => name).toSorted())
  expect(listed).toHaveLength(502)
  const { out } = await memsvc('workspace', 'list', '--project', 'default')
  expect(out.split('\n').filter((line) => line.startsWith('area-'))).toHaveLength(502)
})

test('other work goes on between the batches in which all workspaces are read', async () => {
  const { service, project } = await startService()
  const store = service.store.project(project.id)
  const batches = 4
  await store.write(async (tx) => {
    for (let at = 0; at < batches * BATCH_WORKSPACES; at++) await tx.insertWorkspace(`area-${at}`, 0)
  })
  let isRead = false
  let turns = 0
  const other = (async () => {
    for (; !isRead; turns++) await yieldIfDue()
  })()
  // The other work waits for its turn from here on.
  await yieldIfDue()
  const before = turns
  let read = 0
  for await (const batch of eachWorkspaceBatch(store, undefined)) read += batch.length
  isRead = true
  await other
  expect(read).toBe(batches * BATCH_WORKSPACES)
  expect(turns - before).toBeGreaterThanOrEqual(batches)
})
