import { expect, test } from 'bun:test'
import { COMMAND_LINE } from '../../../src/account/auth/actor.ts'
import { verifyRecord } from '../../../src/memory/records/verify.ts'
import { toActor } from '../../builders/organization.ts'
import { insertRecords } from '../../builders/records.ts'
import { startConsole } from '../../http/console/browse.ts'
import { rejectionOf } from '../../rejection-of.ts'
import { startService } from '../../start-service.ts'

const times = <Value>(count: number, make: (at: number) => Value) => Array.from({ length: count }, (_, at) => make(at))

test('a save is known again among any number of records that say the same', async () => {
  const running = await startService()
  const args = { content: 'The pump is blue.', source_id: 'first' }
  const { result: first } = (await running.call('remember', args)).structured ?? {}
  const { content } = args
  const factKey = 'the-pump-is-blue'
  await insertRecords(
    running,
    times(200, (at) => ({ content, factKey, sourceId: `s${at}` })),
  )
  expect((await running.call('remember', args)).structured?.result).toEqual({ ...(first as object), created: false })
  expect((await running.call('remember', { ...args, source_id: 's150' })).structured?.result).toMatchObject({
    created: false,
  })
  expect((await running.call('remember', { ...args, source_id: 'another' })).structured?.result).toMatchObject({
    created: true,
  })
})

test('few records of a status or a scope are found among very many others', async () => {
  const running = await startConsole()
  await insertRecords(running, [{ content: 'the oldest of all', factKey: 'oldest' }])
  await insertRecords(
    running,
    times(700, (at) => ({
      content: `old ${at}`,
      factKey: 'outdated',
      status: 'superseded' as const,
      supersededBy: 'nobody',
    })),
  )
  const page = await running.get(`${running.at}/records?status=unverified`)
  expect(page.text).toContain('the oldest of all')
  expect(page.text.match(/class="record[ "]/g)).toHaveLength(1)
  const first = await running.get(`${running.at}/records?status=superseded`)
  expect(first.text.match(/class="record[ "]/g)).toHaveLength(50)
  expect(first.text).toContain('old 699')
  expect(first.text).not.toContain('old 649<')
})

test('a person who verifies a record of very many rivals settles those that the page named, and the command line all', async () => {
  const running = await startService()
  const { service, project, owner } = running
  const fact = { factKey: 'port', factKeyGiven: true }
  await insertRecords(running, [
    { ...fact, id: 'chosen', content: 'The port is 9090' },
    ...times(30, (at) => ({ ...fact, content: 'The port is 8080', sourceId: `s${at}` })),
  ])
  const actor = await toActor(service, owner)
  const chosen = { projectId: project.id, id: 'chosen' }
  const store = service.store.project(project.id)
  const rivals = () =>
    store.listRivals(
      { ...fact, workspaceId: 1, audience: '*', content: 'The port is 9090' },
      { status: 'unverified', limit: 99 },
    )
  const seen = (await rivals()).slice(0, 8).map(({ id }) => id)
  const { superseded } = await verifyRecord(service, actor, { ...chosen, seen })
  expect(new Set(superseded.map(({ id }) => id))).toEqual(new Set(seen))
  expect(await rivals()).toHaveLength(22)
  expect(await rejectionOf(verifyRecord(service, actor, { ...chosen, seen }))).toContain('since this page was made')
  expect(await verifyRecord(service, COMMAND_LINE, chosen)).toMatchObject({ total: 22 })
  expect(await rivals()).toEqual([])
})
