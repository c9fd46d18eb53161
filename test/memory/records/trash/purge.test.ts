import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { actingAs } from '../../../../src/account/auth/caller.ts'
import { DAY_MS } from '../../../../src/clock.ts'
import { purgeTrash } from '../../../../src/memory/records/trash/purge.ts'
import { forgetAs, rememberAs } from '../../../as-caller.ts'
import { filesHold } from '../../../history/start-histories.ts'
import { meanwhile } from '../../../meanwhile.ts'
import { openStartedCli } from '../../../run-cli.ts'
import { startService } from '../../../start-service.ts'
import { embeddedTest } from '../../../stored-data.ts'

test('erases for good what was forgotten longer ago than the trash keeps, and nothing else', async () => {
  const { asCaller, pass, json, remember } = await openStartedCli({ environment: { SVC_TRASH_DAYS: '10' } })
  const purge = () => asCaller((service) => purgeTrash(service))
  const saveAndForget = (count: number) =>
    asCaller(async (service, caller) => {
      for (let i = 0; i < count; i++)
        await rememberAs(service, caller, { content: `${count} note ${i}`, source_id: `s${count}` })
      await forgetAs(service, caller, { source_id: `s${count}` })
    })
  await remember({ content: 'kept' })
  await saveAndForget(130)
  pass(2 * DAY_MS)
  await saveAndForget(3)
  pass(8 * DAY_MS)
  expect(await purge()).toBe(0)
  pass(1)
  expect(await purge()).toBe(130)
  expect(await json<unknown[]>(['record', 'list', '--project', 'default', '--forgotten'])).toHaveLength(3)
  expect(await json<unknown[]>(['record', 'list', '--project', 'default'])).toHaveLength(1)
  expect(await json<unknown[]>(['audit', '--act', 'record.purge'])).toMatchObject([
    { actor: 'service', details: { erased: 130 } },
  ])
})

embeddedTest('files of its own')(
  'nothing of what was purged is left in the files, neither texts nor single words',
  async () => {
    const { service, call, pass } = await startService()
    const wordOf = (at: number) => `heron${String.fromCharCode(97 + (at % 26), 97 + Math.floor(at / 26))}`
    const hold = (text: string) => filesHold(service, text)
    for (let at = 0; at < 200; at++) {
      const long = `${wordOf(at)} ${'and what else there is to say of it '.repeat(at % 7 === 0 ? 300 : 1)}${wordOf(at)}end`
      await call('remember', {
        content: `Of the ${long}`,
        source_id: `s${at % 2}`,
        ...(at % 3 === 0 && { fact_key: `key-${wordOf(at)}` }),
      })
      pass(1_000)
    }
    await call('forget', { source_id: 's1' })
    pass(31 * DAY_MS)
    expect(await hold(wordOf(1))).toBe(true)
    expect(await purgeTrash(service)).toBe(100)
    const left = await Array.fromAsync({ length: 200 }, async (_, at) =>
      (await hold(wordOf(at))) ? at % 2 : undefined,
    )
    expect(left.filter((one) => one !== undefined)).toEqual(Array(100).fill(0))
    expect(await purgeTrash(service)).toBe(0)
    expect(await call('search', { query: wordOf(2) })).toMatchObject({
      structured: { result: [{ fact_key: expect.any(String) }] },
    })
  },
)

test('goes over every project, past one that cannot be opened', async () => {
  const { asCaller, folder, project, remember, forget, pass, onOrganization } = await openStartedCli()
  const broken = await onOrganization((org) => org.addProject('broken'))
  await asCaller((service) => service.store.project(broken.id).readUsage())
  writeFileSync(
    join(folder, 'projects', `${broken.id}.db`),
    'no database at all, but long enough to be looked at as one',
  )
  await forget({ id: (await remember({ content: 'gone' })).id })
  pass(31 * DAY_MS)
  expect(project.createdAt).toBeLessThanOrEqual(broken.createdAt)
  expect(await asCaller((service) => purgeTrash(service))).toBe(1)
})

test('finishes the removal of a workspace that a crash cut short', async () => {
  const { asCaller, remember, project, now, pass } = await openStartedCli()
  await remember({ content: 'one', workspace: 'old', source_id: 'a.md', source_hash: 'h' })
  await asCaller(({ store }) =>
    store.project(project.id).write(async (tx) => {
      const workspace = await tx.findWorkspace('old')
      await tx.updateWorkspace(workspace?.id ?? 0, { removedAt: now() })
    }),
  )
  expect(await asCaller(({ store }) => store.project(project.id).readUsage())).toMatchObject({ records: 1 })
  await asCaller((service) => purgeTrash(service))
  expect(await asCaller(({ store }) => store.project(project.id).readUsage())).toMatchObject({ records: 0 })
  expect(await asCaller(({ store }) => store.project(project.id).listRemovedWorkspaces({ limit: 9 }))).toHaveLength(1)

  pass(31 * DAY_MS)
  await asCaller((service) => purgeTrash(service))
  expect(await asCaller(({ store }) => store.project(project.id).listRemovedWorkspaces({ limit: 9 }))).toEqual([])
})

test('finishes the removal of a project that a crash cut short', async () => {
  const { asCaller, onService, remember, project, folder, now } = await openStartedCli()
  await remember({ content: 'one' })
  await asCaller(({ store }) =>
    store.control.write((tx) => tx.update('projects', { id: project.id }, { removedAt: now() })),
  )
  const file = join(folder, 'projects', `${project.id}.db`)
  expect(existsSync(file)).toBe(true)
  await onService((service) => purgeTrash(service))
  expect(existsSync(file)).toBe(false)
})

test('ends early when it is told to', async () => {
  const { asCaller, remember, forget, pass } = await openStartedCli()
  await forget({ id: (await remember({ content: 'gone' })).id })
  pass(31 * DAY_MS)
  expect(await asCaller((service) => purgeTrash(service, () => true))).toBe(0)
})

test('a workspace that is removed while the trash is purged keeps the states of its sources until its records are erased', async () => {
  const { service, account, owner, project } = await startService()
  const saved = { content: 'the gate is at pier 3', workspace: 'old', source_id: 'gate.md', source_hash: 'h1' }
  await rememberAs(service, actingAs(account, project, owner), saved)
  const store = service.store.project(project.id)
  const workspaceId = (await store.findWorkspace('old'))?.id ?? 0
  const remove = () => store.write((tx) => tx.updateWorkspace(workspaceId, { removedAt: service.clock.now() }))
  await purgeTrash(meanwhile(service, 'listOrphans', remove))
  const [state] = await store.findSourceStates([{ workspaceId, audience: '*', sourceId: 'gate.md' }])
  expect(state?.hash).toBe('h1')
})
