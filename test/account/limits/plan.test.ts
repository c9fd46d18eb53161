import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { overrideLimits } from '../../../src/account/limits/override-limits.ts'
import { limitsOf, PLANS } from '../../../src/account/limits/plan.ts'
import { changeRecords } from '../../../src/memory/records/bulk/bulk.ts'
import { moveRecord } from '../../../src/memory/records/bulk/move.ts'
import { editRecord } from '../../../src/memory/records/save/edit-record.ts'
import { mergeWorkspaces } from '../../../src/memory/workspaces/change-workspace.ts'
import { toActor } from '../../builders/organization.ts'
import { commandsBeside } from '../../command-line.ts'
import { startService } from '../../start-service.ts'

const FULL = 'project memory limit exceeded'

async function startWithRoom(...options: string[]) {
  const running = await startService()
  const commands = commandsBeside(running.service)
  await commands.json('account', 'limits', ...options)
  const save = (content: string, more: object = {}) => running.call('remember', { content, ...more })
  return { ...running, ...commands, save }
}

test('refuses the record after the last the plan has room for', async () => {
  const { save } = await startWithRoom('--records', '2')
  expect((await save('one')).isError).toBe(false)
  expect((await save('two')).isError).toBe(false)
  expect(await save('three')).toBeToolError(FULL)
  expect((await save('two')).structured).toMatchObject({ result: { created: false } })
})

test.each([
  [{}, FULL, /^Forget outdated records/],
  [{ workspace: 'other' }, `${FULL} (workspaces)`, /^Name a workspace that exists/],
])('says in a second block what to do where there is no room for a record of %j', async (more, text, advice) => {
  const { save, post } = await startWithRoom('--records', '1', '--workspaces', '1')
  await save('one')
  const call = { name: 'remember', arguments: { content: 'two', ...more } }
  const { body } = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
  expect(body?.result?.content).toEqual([
    { type: 'text', text: `Error executing tool remember: ${text}` },
    { type: 'text', text: expect.stringMatching(advice) },
  ])
})

test('refuses the content after the last byte, counted in UTF-8', async () => {
  const { save } = await startWithRoom('--content-bytes', '10')
  expect((await save('äöü')).isError).toBe(false)
  expect(await save('12345')).toBeToolError(FULL)
  expect((await save('€1')).isError).toBe(false)
  expect(await save('1')).toBeToolError(FULL)
})

test('counts what is superseded, and not what is forgotten', async () => {
  const { save, call } = await startWithRoom('--records', '2')
  await save('the port is 1', { fact_key: 'port' })
  await save('the port is 2', { fact_key: 'port', source_id: 's' })
  expect(await save('the port is 3', { fact_key: 'port' })).toBeToolError(FULL)
  await call('forget', { source_id: 's' })
  expect((await save('the port is 3', { fact_key: 'port' })).isError).toBe(false)
})

test('holds to the record among saves that come at once', async () => {
  const { save, service, project } = await startWithRoom('--records', '10')
  const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => save(`note ${at}`)))
  expect(answers.filter(({ isError }) => !isError)).toHaveLength(10)
  expect(answers.filter(({ text }) => text === `Error executing tool remember: ${FULL}`)).toHaveLength(30)
  expect(await service.store.project(project.id).readUsage()).toMatchObject({ records: 10 })
})

test('holds to the byte among saves that come at once', async () => {
  const { save, service, project } = await startWithRoom('--content-bytes', '1000')
  const answers = await Promise.all(Array.from({ length: 40 }, (_, at) => save(`${at}`.padStart(64, '.'))))
  expect(answers.filter(({ isError }) => !isError)).toHaveLength(15)
  expect(await service.store.project(project.id).readUsage()).toMatchObject({ records: 15, contentBytes: 960 })
})

test('counts each project by itself', async () => {
  const { save, as, org } = await startWithRoom('--records', '1')
  const other = await org.addProject('other')
  const { secret } = await org.issueKey({ project: other })
  await save('one')
  expect(await save('two')).toBeToolError(FULL)
  expect((await as(secret).call('remember', { content: 'two' })).isError).toBe(false)
})

test('follows the operator at once, and gives an override back to the plan', async () => {
  const { save, json, account } = await startWithRoom('--records', '1')
  await save('one')
  expect(await save('two')).toBeToolError(FULL)
  await json('account', 'limits', account.name, '--records', '2')
  expect((await save('two')).isError).toBe(false)
  expect(await save('three')).toBeToolError(FULL)
  expect(await json('account', 'limits', '--records', 'plan')).toMatchObject({
    limits: { records: 10_000_000 },
    overrides: {},
  })
  expect((await save('three')).isError).toBe(false)
})

test('follows a change of plan at once', async () => {
  const { json } = await startWithRoom('--calls-per-key', '7')
  const changed = await json('subscription', 'set', '--plan', 'free')
  expect(changed).toMatchObject({
    plan: 'free',
    limits: { calls_per_key: 7, calls_per_project: 120, records: 1_000, content_bytes: 4 * 2 ** 20 },
  })
})

test('allows what free does to an account on a plan that this version does not know', () => {
  expect(limitsOf({ plan: 'of a newer version', limits: {} })).toMatchObject({ ...PLANS.free })
})

test('where more is saved than the plan allows since, records are still moved and merged, and lose phrases', async () => {
  const { call, service, account, project, owner } = await startService()
  const save = async (content: string, more = {}) => {
    const { structured = {} } = await call('remember', { content, asked_as: ['wording', 'another wording'], ...more })
    return (structured.result as { id: string }).id
  }
  const [first, second] = [await save('note one'), await save('note two')]
  await save('note three', { workspace: 'other' })
  await overrideLimits(service, COMMAND_LINE, { account, overrides: { records: '2', contentBytes: '9' } })
  const actor = await toActor(service, owner)
  const { id: projectId } = project
  const edit = { content: 'note one', askedAs: ['wording'], expiresAt: undefined, confirm: false, seen: [] }
  expect(await editRecord(service, actor, { projectId, id: first, ...edit })).toMatchObject({ isAmended: true })
  await moveRecord(service, actor, { projectId, id: first, workspace: 'other' })
  const act = { kind: 'scope', scope: 'draft' } as const
  expect(await changeRecords(service, actor, { projectId, ids: [second], act })).toMatchObject({ changed: 1 })
  expect(await mergeWorkspaces(service, actor, { projectId, name: 'default', into: 'other' })).toMatchObject({
    moved: 1,
  })
  expect(await call('remember', { content: 'note four' })).toBeToolError('project memory limit exceeded')
})
