import { expect, test } from 'bun:test'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DAY_MS } from '../../../../src/clock.ts'
import { purgeTrash } from '../../../../src/memory/records/trash/purge.ts'
import { forgetAs, rememberAs } from '../../../as-caller.ts'
import { openStartedCli } from '../../../run-cli.ts'

test('erases for good what was forgotten longer ago than the trash keeps, and nothing else', async () => {
  const { asCaller, pass, json, remember } = await openStartedCli({ environment: { SVC_TRASH_DAYS: '10' } })
  const purge = () => asCaller((service) => purgeTrash(service))
  const saveAndForget = (count: number) =>
    asCaller(async (service, caller) => {
      for (let i = 0; i < count; i++) await rememberAs(service, caller, { content: `${count} note ${i}`, source_id: `s${count}` })
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
  expect(await json<unknown[]>(['audit', '--act', 'record.purge'])).toMatchObject([{ actor: 'service', details: { erased: 130 } }])
})

test('goes over every project, past one that cannot be opened', async () => {
  const { asCaller, folder, project, remember, forget, pass, onOrganization } = await openStartedCli()
  const broken = await onOrganization((org) => org.addProject('broken'))
  await asCaller((service) => service.store.project(broken.id).readUsage())
  writeFileSync(join(folder, 'projects', `${broken.id}.db`), 'no database at all, but long enough to be looked at as one')
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
      await tx.removeWorkspace(workspace?.id ?? 0, now())
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
  await asCaller(({ store }) => store.control.write((tx) => tx.updateProject(project.id, { removedAt: now() })))
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
