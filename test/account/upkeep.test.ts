import { expect, test } from 'bun:test'
import { recordEventAlone, toAuditEntry } from '../../src/account/audit/audit.ts'
import { SERVICE } from '../../src/account/auth/actor.ts'
import { startUpkeep } from '../../src/account/upkeep.ts'
import { DAY_MS } from '../../src/clock.ts'
import { startService } from '../start-service.ts'
import { waitUntil } from '../wait-until.ts'

const LINES = 20_000

test('upkeep that is stopped while it erases leaves the rest, and is over when its stop is', async () => {
  const { service, pass } = await startService()
  const { control } = service.store
  const toLine = (act: string) => toAuditEntry(service.clock.now(), SERVICE, { act })
  await control.write(async (tx) => {
    await tx.insertAudit(toLine('oldest'))
    for (let nth = 0; nth < LINES; nth++) await tx.insertAudit(toLine('other'))
  })
  const countOthers = async () => (await control.listAudit({ act: 'other', limit: LINES })).length
  pass((service.config.auditDays + 1) * DAY_MS)
  const endUpkeep = startUpkeep(service, service.clock.now, 1)
  await waitUntil(
    'the oldest line to be erased',
    async () => (await control.listAudit({ act: 'oldest', limit: 1 })).length === 0,
  )
  await endUpkeep()
  const left = await countOthers()
  for (let nth = 0; nth < 5; nth++) await recordEventAlone(service, SERVICE, { act: 'later' })
  expect(left).toBeGreaterThan(0)
  expect(await countOthers()).toBe(left)
})
