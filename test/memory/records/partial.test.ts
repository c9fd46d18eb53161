import { Database } from 'bun:sqlite'
import { expect } from 'bun:test'
import { join } from 'node:path'
import { actingAs } from '../../../src/account/auth/caller.ts'
import { changeRecords } from '../../../src/memory/records/bulk/bulk.ts'
import { forgetRecords } from '../../../src/memory/records/trash/forget.ts'
import { removeWorkspace } from '../../../src/memory/workspaces/remove-workspace.ts'
import { rememberAs } from '../../as-caller.ts'
import { toActor } from '../../builders/organization.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { startService } from '../../start-service.ts'
import { embeddedTest } from '../../stored-data.ts'

const test = embeddedTest('a trigger that lets the write of one record fail')

/**
 * Five records of one source, of which the first cannot be forgotten: its write fails, as a damaged page would make it.
 */
async function startWithDamage() {
  const { service, account, project, owner } = await startService()
  const ids: string[] = []
  for (let at = 0; at < 5; at++)
    ids.push(
      (await rememberAs(service, actingAs(account, project, owner), { content: `Note ${at}`, source_id: 'plan.md' }))
        .id,
    )
  using beside = new Database(join(service.config.dataDir, 'projects', `${project.id}.db`))
  beside.run(
    `create trigger fail before update of forgotten_at on records when old.id = '${ids[0]}' begin select raise(abort, 'damaged'); end`,
  )
  const acts = async (act = 'record.forget') =>
    (await service.store.control.listAudit({ act, limit: 9 })).map(({ details }) => details)
  return { service, actor: await toActor(service, owner), projectId: project.id, ids, acts }
}

test('what was changed beside a record whose write fails stands in the audit log', async () => {
  const { service, actor, projectId, ids, acts } = await startWithDamage()
  const changing = changeRecords(service, actor, { projectId, act: { kind: 'forget' }, ids })
  expect(await rejectionOf(changing)).toBe('damaged')
  expect(await acts()).toMatchObject([{ records: 4, ids: ids.slice(1).join(' ') }])
})

test('what was forgotten of a source of which one record cannot be stands in the audit log', async () => {
  const { service, actor, projectId, acts } = await startWithDamage()
  expect(await rejectionOf(forgetRecords(service, actor, { projectId, source_id: 'plan.md' }))).toBe('damaged')
  expect(await acts()).toMatchObject([{ forgotten: 4 }])
})

test('the removal of a workspace of which one record cannot be forgotten stands in the audit log', async () => {
  const { service, actor, projectId, acts } = await startWithDamage()
  expect(await rejectionOf(removeWorkspace(service, actor, { projectId, name: 'default' }))).toBe('damaged')
  expect(await acts('workspace.remove')).toEqual([{ forgotten: 4 }])
})
