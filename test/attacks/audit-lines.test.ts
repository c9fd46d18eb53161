import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../src/account/auth/actor.ts'
import { mergeWorkspaces, renameWorkspace } from '../../src/memory/workspaces/change-workspace.ts'
import { removeWorkspace } from '../../src/memory/workspaces/remove-workspace.ts'

import { startService } from '../start-service.ts'

/** The lines of an account's log, as its owners and admins read them. */
async function startWatched() {
  const running = await startService()
  const { service, account } = running
  return {
    ...running,
    lines: (act: string) => service.store.control.listAudit({ accountId: account.id, act, limit: 100 }),
  }
}

test('the source of drafts stands in no line of the log that others read; that of shared records does', async () => {
  const { call, lines } = await startWatched()
  await call('remember', { content: 'a merger is planned', source_id: 'secret-merger.md', scope: 'draft' })
  await call('remember', { content: 'the pump is blue', source_id: 'pump.md' })
  await call('forget', { source_id: 'secret-merger.md' })
  await call('forget', { source_id: 'pump.md' })
  const found = await lines('record.forget')
  expect(found).toMatchObject([
    { target: 'pump.md', details: { forgotten: 1 } },
    { target: null, details: { forgotten: 1 } },
  ])
  expect(JSON.stringify(found)).not.toContain('secret')
})

test('the name of a workspace that holds only drafts stands in no line of the log that others read', async () => {
  const { call, lines, service, project } = await startWatched()
  await call('remember', { content: 'a merger is planned', workspace: 'secret-merger', scope: 'draft' })
  await call('remember', { content: 'the pump is blue', workspace: 'pumps' })
  const { id: projectId } = project
  await renameWorkspace(service, COMMAND_LINE, { projectId, name: 'secret-merger', newName: 'secret-plans' })
  await mergeWorkspaces(service, COMMAND_LINE, { projectId, name: 'secret-plans', into: 'pumps' })
  for (const act of ['workspace.rename', 'workspace.merge'])
    expect(JSON.stringify(await lines(act))).not.toMatch(/secret|pumps/)
  await call('remember', { content: 'another merger is planned', workspace: 'secret-merger', scope: 'draft' })
  for (const name of ['secret-merger', 'pumps'])
    await removeWorkspace(service, COMMAND_LINE, { projectId: project.id, name })
  const found = await lines('workspace.remove')
  expect(found).toMatchObject([{ target: 'pumps' }, { target: null, details: { forgotten: 1 } }])
  expect(JSON.stringify(found)).not.toContain('secret')
})
