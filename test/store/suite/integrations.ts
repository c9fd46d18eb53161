import { describe, expect, test } from 'bun:test'
import { deleteIntegration } from '../../../src/gateway/integration.ts'
import { saveToolList } from '../../../src/gateway/tool-list.ts'
import type { Integration, ToolList, UpstreamTool } from '../../../src/store/integration.ts'
import { NOW, type Suite } from './context.ts'

/** Integrations and their lists of tools. */
export function describeIntegrations(suite: Suite): void {
  describe('integrations', () => {
    const integration = (id: string, slug: string): Integration => ({
      id,
      accountId: 'a1',
      slug,
      name: slug,
      url: 'https://example.com/mcp',
      headers: 'encrypted',
      mode: 'read-only',
      tools: null,
      timeoutMs: 1_000,
      maxBytes: 1_000,
      stateful: false,
      acceptedAt: null,
      createdAt: NOW,
    })

    test('integrations are listed by slug, and those enabled for a project with the latest commit', async () => {
      const { control } = suite.store
      const [wiki, chat] = [integration('i1', 'wiki'), integration('i2', 'chat')]
      await control.write(async (tx) => {
        await tx.insert('integrations', wiki)
        await tx.insert('integrations', chat)
      })
      expect(await control.list('integrations', { accountId: 'a1' })).toEqual([chat, wiki])
      expect([await control.list('integrations', {}), await control.list('integrations', { accountId: 'a2' })]).toEqual(
        [[chat, wiki], []],
      )
      expect(await control.listEnabledIntegrations('p1')).toEqual([])
      const before = await control.version()
      for (let time = 0; time < 2; time++)
        await control.write((tx) => tx.save('enabledIntegrations', { integrationId: 'i1', projectId: 'p1' }))
      await control.write((tx) => tx.save('enabledIntegrations', { integrationId: 'i2', projectId: 'p1' }))
      expect(await control.version()).not.toBe(before)
      expect(await control.listEnabledIntegrations('p1')).toEqual([chat, wiki])
      expect(
        (await control.list('enabledIntegrations', { integrationId: 'i1' })).map(({ projectId }) => projectId),
      ).toEqual(['p1'])
      await control.write((tx) => tx.update('integrations', { id: 'i1' }, { tools: ['search'] }))
      expect(await control.listEnabledIntegrations('p1')).toEqual([chat, { ...wiki, tools: ['search'] }])
      expect(
        await control.write((tx) => tx.delete('enabledIntegrations', { integrationId: 'i1', projectId: 'p1' })),
      ).toBe(1)
      expect(
        await control.write((tx) => tx.delete('enabledIntegrations', { integrationId: 'i1', projectId: 'p1' })),
      ).toBe(0)
      expect(await control.listEnabledIntegrations('p1')).toEqual([chat])
    })

    test('a list of tools is replaced, and goes with its integration', async () => {
      const { control } = suite.store
      const list = (ttlMs: number, more: Partial<ToolList> = {}): ToolList => ({
        integrationId: 'i1',
        tools: [],
        ttlMs,
        fetchedAt: NOW,
        accepted: [],
        withheld: 0,
        unpicked: [{ name: 'write', readOnly: false }],
        ...more,
      })
      await control.write((tx) => saveToolList(tx, list(1)))
      expect(await control.find('toolLists', { integrationId: 'i1' })).toBeUndefined()
      await control.write(async (tx) => {
        await tx.insert('integrations', integration('i1', 'wiki'))
        await tx.save('enabledIntegrations', { integrationId: 'i1', projectId: 'p1' })
        await saveToolList(tx, list(1))
        await saveToolList(tx, list(2))
      })
      expect(await control.find('toolLists', { integrationId: 'i1' })).toEqual(list(2))
      const tool: UpstreamTool = {
        name: 'find',
        title: 'Find',
        description: '',
        readOnly: true,
        mirrored: false,
        inputSchema: { type: 'object' },
      }
      await control.write((tx) => saveToolList(tx, list(3, { tools: [tool], accepted: [tool], withheld: 1 })))
      expect(await control.find('toolLists', { integrationId: 'i1' })).toEqual(list(3, { tools: [tool], withheld: 1 }))
      expect(await control.countWithheldTools(['i1', 'i2'])).toEqual(new Map([['i1', 1]]))
      const before = await control.version()
      await control.write(async (tx) => {
        await tx.update('toolLists', { integrationId: 'i1' }, { accepted: [tool], withheld: 0 })
        await tx.update('integrations', { id: 'i1' }, { acceptedAt: NOW })
      })
      expect(await control.find('toolLists', { integrationId: 'i1' })).toEqual(
        list(3, { tools: [tool], accepted: [tool] }),
      )
      expect([await control.countWithheldTools(['i1']), (await control.version()) === before]).toEqual([
        new Map(),
        false,
      ])
      expect(await control.listEnabledIntegrations('p1')).toMatchObject([{ acceptedAt: NOW }])
      await control.write((tx) => deleteIntegration(tx, 'i1'))
      expect([
        await control.find('toolLists', { integrationId: 'i1' }),
        await control.listEnabledIntegrations('p1'),
      ]).toEqual([undefined, []])
    })
  })
}
