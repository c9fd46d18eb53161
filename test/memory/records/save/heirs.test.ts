import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../../src/account/auth/actor.ts'
import { actingAs } from '../../../../src/account/auth/caller.ts'
import { moveRecord } from '../../../../src/memory/records/bulk/move.ts'
import { supersedeEarlier } from '../../../../src/memory/records/save/rivals.ts'
import { purgeTrash } from '../../../../src/memory/records/trash/purge.ts'
import { restoreRecord } from '../../../../src/memory/records/trash/restore.ts'
import { openService } from '../../../../src/service.ts'
import type { ProjectReads, ProjectStore } from '../../../../src/store/project.ts'
import { forgetAs, rememberAs } from '../../../as-caller.ts'
import { rejectionOf } from '../../../rejection-of.ts'
import { startService } from '../../../start-service.ts'

async function start() {
  const running = await startService()
  const { service, account, project, owner } = running
  return { ...running, caller: actingAs(account, project, owner), records: service.store.project(project.id) }
}

const listAll = (records: ProjectReads) => records.listRecords({ visible: undefined })

/** Expects that what supersedes a record is there, and that no two current records say different things. */
async function expectSettled(records: ProjectReads): Promise<void> {
  const all = await listAll(records)
  const ids = new Set(all.map(({ id }) => id))
  for (const { status, supersededBy } of all) expect(ids.has(supersededBy ?? '')).toBe(status === 'superseded')
  expect(
    new Set(all.filter(({ status }) => status !== 'superseded').map(({ content }) => content)).size,
  ).toBeLessThanOrEqual(1)
}

test('however many records said what a correction superseded, all of them hold again when it is forgotten, and none when it returns', async () => {
  const { service, caller, project, records } = await start()
  const save = (content: string, source_id: string) =>
    rememberAs(service, caller, { content, fact_key: 'port', source_id })
  for (let at = 0; at < 30; at++) await save('The port is 8080', `s${at}`)
  const newer = await save('The port is 9090', 'newer')
  expect(newer.superseded).toHaveLength(30)
  const { current_again: again } = await forgetAs(service, caller, { id: newer.id })
  expect(again).toHaveLength(30)
  await expectSettled(records)
  await restoreRecord(service, COMMAND_LINE, { projectId: project.id, id: newer.id })
  await expectSettled(records)
  expect((await listAll(records)).filter(({ status }) => status === 'superseded')).toHaveLength(30)
})

test('two processes that correct, forget and restore one fact at once leave one record current', async () => {
  const { service, caller, project, records } = await start()
  const { config, clock, random, log } = service
  const other = await openService({ config, clock, random, log, version: '0.0.0' })
  try {
    const both = [service, other]
    const saves = Array.from({ length: 24 }, (_, at) =>
      rememberAs(both[at % 2] ?? service, caller, {
        content: `The port is ${at}`,
        fact_key: at % 3 === 0 ? 'Port' : 'port',
      }),
    )
    const saved = await Promise.all(saves)
    await expectSettled(records)
    const gone = saved.filter((_, at) => at % 4 === 0)
    await Promise.all(gone.map(({ id }, at) => forgetAs(both[at % 2] ?? other, caller, { id })))
    await expectSettled(records)
    await Promise.all(
      gone.map(({ id }, at) => restoreRecord(both[at % 2] ?? service, COMMAND_LINE, { projectId: project.id, id })),
    )
    await expectSettled(records)
    expect(await listAll(records)).toHaveLength(24)
  } finally {
    await other.close()
  }
})

test('what a crash left naming a forgotten record is settled by the next purge', async () => {
  const { service, caller, records } = await start()
  const older = await rememberAs(service, caller, { content: 'The port is 8080', fact_key: 'port' })
  const newer = await rememberAs(service, caller, { content: 'The port is 9090', fact_key: 'port' })
  await records.write((tx) => tx.forgetRecord(newer.id, service.clock.now()))
  await purgeTrash(service)
  expect(await records.findRecord(undefined, older.id)).toMatchObject({ status: 'unverified', supersededBy: null })
})

test('killed while a record with many superseded ones is moved, a service settles the remaining ones in its next purge', async () => {
  const { service, caller, project, records } = await start()
  for (let at = 0; at < 30; at++)
    await rememberAs(service, caller, { content: 'The port is 8080', fact_key: 'port', source_id: `s${at}` })
  const { id } = await rememberAs(service, caller, { content: 'The port is 9090', fact_key: 'port' })
  let writes = 0
  const write: ProjectStore['write'] = (...given) => {
    if (++writes > 1) throw new Error('killed')
    return records.write(...given)
  }
  const killed = { ...service, store: { ...service.store, project: () => ({ ...records, write }) } }
  const move = moveRecord(killed, COMMAND_LINE, { projectId: project.id, id, workspace: 'other' })
  expect(await rejectionOf(move)).toBe('killed')
  const current = async () => (await listAll(records)).filter(({ status }) => status === 'unverified').length
  expect(await current()).toBe(9)
  await purgeTrash(service)
  expect(await current()).toBe(31)
})

test('a record supersedes all rivals of earlier rank but the one that supersedes itself', async () => {
  const { service, caller, records } = await start()
  const ids: string[] = []
  for (let port = 0; port < 20; port++)
    ids.push((await rememberAs(service, caller, { content: `The port is ${port}`, fact_key: 'port' })).id)
  const [superseder = '', id = ''] = ids.slice(-2)
  await records.write(async (tx) => {
    for (const one of ids) await tx.updateRecord(one, { status: 'unverified', supersededBy: null })
    await tx.supersede(id, superseder)
  })
  for (const record of (await listAll(records)).filter((one) => one.id === id)) await supersedeEarlier(records, record)
  const current = (await listAll(records)).filter(({ status }) => status !== 'superseded')
  expect(current.map((one) => one.id)).toEqual([superseder])
})
