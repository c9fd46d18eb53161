import { describe, expect, test } from 'bun:test'
import { idsOf, NOW, type Suite } from './context.ts'

/** Workspaces. */
export function describeWorkspaces(suite: Suite): void {
  describe('workspaces', () => {
    test('finds workspaces by name and ids, and whether any audience was given a record', async () => {
      await suite.insert('one', { audience: 'a:m1' })
      const reads = suite.store.project('p1')
      const found = await reads.findWorkspace('default')
      expect(found).toMatchObject({ id: 1, name: 'default', createdAt: NOW, removedAt: null })
      expect(await reads.findWorkspacesById([1, 7])).toEqual(found === undefined ? [] : [found])
      expect(await reads.findWorkspacesById([])).toEqual([])
      const isWritten = async (visible: string[]) => (await reads.findWorkspace('default', visible)) !== undefined
      expect([await isWritten(['*', 'a:m1']), await isWritten(['*']), await isWritten([])]).toEqual([
        true,
        false,
        false,
      ])
      expect(await reads.findWorkspace('default', ['*', 'a:m1'])).toEqual(found)
      expect(await reads.findWorkspace('default', undefined)).toEqual(found)
      for (const unseen of [await reads.findWorkspace('default', ['*']), await reads.findWorkspace('default', [])])
        expect(unseen).toBeUndefined()
      expect(await reads.findWorkspace('attic', undefined)).toBeUndefined()
      await reads.write((tx) => tx.forgetRecord('one', NOW))
      expect(await isWritten(['a:m1'])).toBe(true)
    })

    test('what is stored for the sources of a workspace is erased in parts', async () => {
      await suite.insert('one')
      const reads = suite.store.project('p1')
      await reads.write(async (tx) => {
        for (const source of ['a', 'b', 'c'])
          await tx.saveSourceState({ workspaceId: 1, sourceId: source, audience: '*' }, { hash: 'h', at: NOW })
        for (const root of ['/notes', '/other', '/third']) {
          await tx.saveImportedSource({ root, workspaceId: 1, sourceId: 'a' })
          await tx.saveImportedSource({ root, workspaceId: 2, sourceId: 'a' })
        }
      })
      const erased: number[] = []
      for (let at = 0; at < 4; at++) erased.push(await reads.write((tx) => tx.eraseSources({ workspaceId: 1 }, 2)))
      expect(erased).toEqual([2, 2, 2, 0])
      expect(await reads.findSourceStates([{ workspaceId: 1, audience: '*', sourceId: 'c' }])).toEqual([undefined])
      for (const root of ['/notes', '/other', '/third']) {
        expect(await reads.listImportedSources(root, { limit: 9 })).toEqual([{ root, workspaceId: 2, sourceId: 'a' }])
      }
    })

    test('a removed workspace frees its name, and can be erased once its records are', async () => {
      await suite.insert('one')
      const reads = suite.store.project('p1')
      await reads.write((tx) => tx.updateWorkspace(1, { removedAt: NOW }))
      expect(await reads.findWorkspace('default')).toBeUndefined()
      expect(await reads.findWorkspacesById([1])).toMatchObject([{ name: 'default', removedAt: NOW }])
      expect(idsOf((await reads.listRemovedWorkspaces({ limit: 9 })).map(({ name: id }) => ({ id })))).toEqual([
        'default',
      ])
      const again = await reads.write((tx) => tx.insertWorkspace('default', NOW))
      expect(again.id).not.toBe(1)

      expect(await reads.write((tx) => tx.eraseWorkspace(1))).toBe(false)
      await reads.write((tx) => tx.forgetRecord('one', NOW))
      await reads.write((tx) => tx.purgeForgotten(NOW + 1, 10))
      expect(await reads.write((tx) => tx.eraseWorkspace(1))).toBe(true)
      expect(await reads.findWorkspacesById([1])).toEqual([])
    })

    test('lists the workspaces of visible audiences a page at a time, by name, with their visible records', async () => {
      const project = suite.store.project('p1')
      const place = (name: string) => project.write((tx) => tx.insertWorkspace(name, NOW))
      const [b, a, c] = [await place('b'), await place('a'), await place('c')]
      await suite.insert('one', { workspaceId: a.id })
      await suite.insert('two', { workspaceId: a.id, audience: 'd:x' })
      await suite.insert('three', { workspaceId: b.id, audience: 'a:m1' })
      await suite.insert('four', { workspaceId: c.id, audience: 'a:m2' })
      const listed = async (visible: string[] | undefined, after?: string, limit = 9) =>
        (await project.listWorkspaces(visible, { after, limit })).map(({ name, records }) => `${name} ${records}`)
      expect(await listed(['*', 'a:m1', 'd:x'])).toEqual(['a 2', 'b 1'])
      expect(await listed(['*', 'a:m1', 'd:x'], undefined, 1)).toEqual(['a 2'])
      expect(await listed(['*', 'a:m1', 'd:x'], 'a')).toEqual(['b 1'])
      expect(await listed(['*'])).toEqual(['a 1'])
      expect(await listed([])).toEqual([])
      expect(await listed(undefined, 'a')).toEqual(['b 1', 'c 1', 'default 0'])
      expect((await project.readIndexFacts(['*'], a.id)).audiences).toMatchObject([{ records: 1 }])
      expect((await project.readIndexFacts(undefined, a.id)).audiences.reduce((sum, one) => sum + one.records, 0)).toBe(
        2,
      )
      expect(await project.countWorkspaces()).toBe(4)
      await project.write((tx) => tx.updateWorkspace(a.id, { name: 'z' }))
      expect(await listed(['*', 'a:m1'])).toEqual(['b 1', 'z 1'])
      const inAnyCase = async (name: string, visible: string[] | undefined) =>
        (await project.findWorkspaceInAnyCase(name, visible))?.id
      expect([await inAnyCase('Z', ['*']), await inAnyCase('A', undefined), await inAnyCase('C', ['*'])]).toEqual([
        a.id,
        undefined,
        undefined,
      ])
      expect((await project.write((tx) => tx.insertWorkspace('Z', NOW))).id).toBeGreaterThan(a.id)
      expect(await inAnyCase('Z', undefined)).toBe(a.id)
      await project.write(async (tx) => tx.updateWorkspace((await tx.findWorkspace('Z'))?.id ?? 0, { removedAt: NOW }))
      expect([await project.findWorkspace('a'), (await project.findWorkspace('z', ['*']))?.id]).toEqual([
        undefined,
        a.id,
      ])
      await project.write((tx) => tx.updateWorkspace(a.id, { removedAt: NOW }))
      expect(await listed(['*', 'a:m1'])).toEqual(['b 1'])
      expect(await project.countWorkspaces()).toBe(3)
    })
  })
}
