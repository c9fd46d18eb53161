import { afterAll, beforeAll, expect, test } from 'bun:test'
import fc from 'fast-check'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { actingAs } from '../../../src/account/auth/caller.ts'
import { moveRecord } from '../../../src/memory/records/bulk/move.ts'
import { forgetRecords } from '../../../src/memory/records/trash/forget.ts'
import { verifyRecord } from '../../../src/memory/records/verify.ts'
import { mergeWorkspaces, renameWorkspace } from '../../../src/memory/workspaces/change-workspace.ts'
import { rememberAs } from '../../as-caller.ts'
import { toActor } from '../../builders/organization.ts'
import { meanwhile } from '../../meanwhile.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { openTestService } from '../../start-service.ts'

let running: Awaited<ReturnType<typeof openTestService>>
beforeAll(async () => {
  running = await openTestService()
})
afterAll(() => running.stop())

let projects = 0

/** A project of its own, into whose workspaces its owner saves. */
async function openProject() {
  const { service, account, owner, org, pass } = running
  const project = await org.addProject(`project ${++projects}`)
  const projectId = project.id
  const caller = actingAs(account, project, owner)
  const store = service.store.project(projectId)
  return {
    projectId,
    save: async (content: string, workspace: string, factKey?: string, more: { scope?: 'shared' | 'draft' } = {}) => {
      pass(20 * 60_000)
      return rememberAs(service, caller, {
        content,
        workspace,
        ...(factKey !== undefined && { fact_key: factKey }),
        ...more,
      })
    },
    merge: (name: string, into: string) => mergeWorkspaces(service, COMMAND_LINE, { projectId, name, into }),
    rename: (name: string, newName: string) => renameWorkspace(service, COMMAND_LINE, { projectId, name, newName }),
    /** The contents of a workspace's records, with what each is superseded by. */
    read: async (workspace: string) => {
      const found = await store.findWorkspace(workspace)
      const records = found === undefined ? [] : await store.listRecords({ visible: undefined, workspaceId: found.id })
      const contentOf = new Map(records.map(({ id, content }) => [id, content]))
      return records.map(({ content, supersededBy }) => [
        content,
        supersededBy && (contentOf.get(supersededBy) ?? supersededBy),
      ])
    },
    lines: async (act: string) => {
      const found = await service.store.control.listAudit({ act, limit: 99 })
      return found.filter((line) => line.projectId === projectId)
    },
  }
}

const save = fc.record({
  workspace: fc.constantFrom('first', 'second'),
  key: fc.constantFrom('tides', 'pumps', undefined),
})

test('after a merge the same records are current as if all had been saved into one workspace in their order', async () => {
  const property = fc.asyncProperty(fc.array(save, { minLength: 2, maxLength: 20 }), async (saves) => {
    const project = await openProject()
    for (const workspace of ['first', 'second']) await project.save(`the first of ${workspace}`, workspace)
    for (const workspace of ['first', 'second']) await project.save(`the first of ${workspace}`, 'one')
    for (const [nth, { workspace, key }] of saves.entries())
      for (const place of [workspace, 'one']) await project.save(`note number ${nth}`, place, key)
    const { moved, there } = await project.merge('first', 'second')
    expect([moved, there]).toEqual([1 + saves.filter(({ workspace }) => workspace === 'first').length, 0])
    const standing = async (workspace: string) =>
      (await project.read(workspace)).map(([content, by]) => `${by === null} ${content}`).sort()
    expect(await standing('second')).toEqual(await standing('one'))
    expect(await project.read('first')).toEqual([])
  })
  await fc.assert(property, { numRuns: 15, interruptAfterTimeLimit: 60_000 })
})

test('drafts of others are moved too, what the other workspace has already is there once, and an audit event names both', async () => {
  const { service, org } = running
  const { projectId, save, merge, read, lines } = await openProject()
  await save('the gate opens at nine', 'old')
  await save('the gate opens at nine', 'new')
  await save('a thought of my own', 'old', undefined, { scope: 'draft' })
  const admin = await toActor(service, await org.addMember('Ada', { role: 'admin' }))
  expect(await mergeWorkspaces(service, admin, { projectId, name: 'old', into: 'new' })).toEqual({ moved: 1, there: 1 })
  expect((await read('new')).map(([content]) => content).sort()).toEqual([
    'a thought of my own',
    'the gate opens at nine',
  ])
  expect(await lines('workspace.merge')).toMatchObject([
    { target: 'old', details: { into: 'new', moved: 1, there: 1 } },
  ])
  expect(await rejectionOf(merge('old', 'new'))).toBe("workspace 'old' is not active")
  expect(await rejectionOf(merge('new', 'new'))).toBe("'new' and 'new' are the same workspace")
})

test('a record that is forgotten or moved while workspaces are merged is left where it is', async () => {
  const { service } = running
  const { projectId, save, read } = await openProject()
  const [gone, moved] = [await save('one', 'first'), await save('two', 'first')]
  await save('three', 'first')
  await save('four', 'second')
  const ctx = meanwhile(service, 'listRecords', async () => {
    await forgetRecords(service, COMMAND_LINE, { projectId, id: gone.id })
    await moveRecord(service, COMMAND_LINE, { projectId, id: moved.id, workspace: 'elsewhere' })
  })
  const merge = { projectId, name: 'first', into: 'second' }
  expect(await mergeWorkspaces(ctx, COMMAND_LINE, merge)).toEqual({ moved: 1, there: 0 })
  expect([await read('second'), await read('elsewhere')].map((found) => found.map(([content]) => content))).toEqual([
    ['three', 'four'],
    ['two'],
  ])
})

test('a record that a person verified stays before one of another workspace that contradicts it', async () => {
  const { service } = running
  const { projectId, save, merge, read } = await openProject()
  const { id } = await save('high water at six', 'first', 'tide')
  await verifyRecord(service, COMMAND_LINE, { projectId, id })
  await save('high water at seven', 'second', 'tide')
  await merge('second', 'first')
  expect((await read('first')).sort()).toEqual([
    ['high water at seven', null],
    ['high water at six', null],
  ])
})

test('a renamed workspace keeps its records, and its old name is free; a name that is taken or none is refused', async () => {
  const { rename, save, read, lines } = await openProject()
  await save('one', 'old', 'key')
  await save('two', 'taken')
  await rename('old', 'new')
  expect(await read('new')).toEqual([['one', null]])
  await save('three', 'new', 'key')
  expect(await read('new')).toEqual([
    ['one', 'three'],
    ['three', null],
  ])
  await save('four', 'old')
  expect(await read('old')).toEqual([['four', null]])
  expect(await lines('workspace.rename')).toMatchObject([{ target: 'old', details: { new_name: 'new' } }])
  expect(await rejectionOf(rename('new', 'taken'))).toBe("there is a workspace 'taken' already; merge the two")
  expect(await rejectionOf(rename('nowhere', 'x'))).toBe("workspace 'nowhere' is not active")
  expect(await rejectionOf(rename('new', 'a/b'))).toContain('workspace must be 1 to 64 letters')
})
