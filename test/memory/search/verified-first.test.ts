import { expect, test } from 'bun:test'
import { restoreRecord } from '../../../src/memory/records/trash/restore.ts'
import { verifyRecord } from '../../../src/memory/records/verify.ts'
import { toActor } from '../../builders/organization.ts'
import { startService } from '../../start-service.ts'

type Found = { id: string; content: string; score: number; status: string; conflicts_with?: string[] }

async function startDisputed() {
  const running = await startService()
  const { call, service, project, owner, pass } = running
  const save = async (content: string, more: object = { fact_key: 'vat.rate' }) => {
    pass(1000)
    const { structured } = await call('remember', { content, ...more })
    return (structured as { result: { id: string } }).result.id
  }
  const verify = async (id: string) =>
    verifyRecord(service, await toActor(service, owner), { projectId: project.id, id })
  const search = async (query: string, more: object = {}) =>
    (await call('search', { query, ...more })).structured as { result: Found[] }
  return { ...running, save, verify, search }
}

/** The scores of an answer order it. */
function expectFalling(found: Found[]): void {
  const scores = found.map(({ score }) => score)
  expect(scores).toEqual(scores.toSorted((a, b) => b - a))
  expect(Math.min(1, ...scores)).toBeGreaterThan(0)
}

test('a verified record stands before what contradicts it, which names it, whatever their scores', async () => {
  const { save, verify, search } = await startDisputed()
  const verified = await save('The rate of the value added tax that we charge in all countries is nineteen')
  await verify(verified)
  const other = await save('VAT is 99 percent')
  await save('VAT numbers are checked', {})
  const { result } = await search('what percent is VAT')
  expect(result.slice(0, 2)).toMatchObject([{ id: verified }, { id: other, conflicts_with: [verified] }])
  expect(result[0]).not.toHaveProperty('conflicts_with')
  expectFalling(result)
  expect((await search('what percent is VAT', { limit: 1 })).result).toMatchObject([
    { id: verified, status: 'verified' },
  ])
})

test('the other record follows the verified one directly, also onto its page, and no page repeats or loses a record', async () => {
  const { save, verify, search } = await startDisputed()
  const verified = await save('The lantern lantern lantern is lit')
  await verify(verified)
  for (let at = 0; at < 12; at++) await save(`A lantern is lit at door ${at}`, {})
  const other = await save(
    'Nobody has seen any light for weeks, and so it was said that not one lantern burns in these halls',
  )
  const whole = await search('lantern lit', { limit: 50 })
  const ids = whole.result.map(({ id }) => id)
  expect(ids.indexOf(other)).toBe(ids.indexOf(verified) + 1)
  expectFalling(whole.result)
  const pages: string[] = []
  for (let offset = 0; offset < 15; offset += 5)
    pages.push(...(await search('lantern lit', { limit: 5, offset })).result.map(({ id }) => id))
  expect(pages).toEqual(ids)
})

test('a filter leaves out the verified record too, and the other one names it all the same', async () => {
  const { save, verify, search } = await startDisputed()
  const verified = await save('The rate is nineteen', { fact_key: 'vat.rate', source_id: 'tax.md' })
  await verify(verified)
  const other = await save('VAT is 99 percent')
  for (const filter of [{ status: 'unverified' }, { since: '2026-01-15T12:00:01.500Z' }]) {
    expect((await search('VAT', filter)).result).toMatchObject([{ id: other, conflicts_with: [verified] }])
  }
})

test('drafts of others neither stand before a record nor are named by it', async () => {
  const { save, search, service, project, owner } = await startDisputed()
  const draft = await save('The rate is nineteen', { fact_key: 'vat.rate', scope: 'draft' })
  await verifyRecord(service, await toActor(service, owner), { projectId: project.id, id: draft })
  const shared = await save('VAT is 99 percent')
  const { result } = await search('VAT')
  expect(result).toMatchObject([{ id: shared }])
  expect(result[0]).not.toHaveProperty('conflicts_with')
})

test('a list in order of time stays so, and names contradictions', async () => {
  const { save, verify, search } = await startDisputed()
  const verified = await save('VAT is 19 percent')
  await verify(verified)
  const other = await save('VAT is 99 percent')
  expect((await search('*')).result).toMatchObject([{ id: other, conflicts_with: [verified] }, { id: verified }])
  expect((await search('vat.rate')).result).toMatchObject([{ id: verified }, { id: other }])
})

test('every verified record of a dispute stands before the others of it, the best match first', async () => {
  const { call, service, owner, project, save, verify, search } = await startDisputed()
  const verified: string[] = []
  for (const content of [
    'The rate that counts for us is nineteen',
    'VAT is 20 percent',
    'One hears of 21 percent of VAT',
  ]) {
    for (const id of verified) await call('forget', { id })
    const id = await save(content)
    await verify(id)
    // The one verified last first: it would supersede one that is there already.
    for (const earlier of verified.toReversed()) {
      await restoreRecord(service, await toActor(service, owner), { projectId: project.id, id: earlier })
    }
    verified.push(id)
  }
  const [unmatched, better, worse] = verified
  const other = await save('VAT is 99 percent')
  const { result } = await search('VAT is 99 percent')
  expect(result.map(({ id }) => id)).toEqual([better, worse, unmatched, other] as string[])
  expect(result[3]?.conflicts_with?.toSorted()).toEqual(verified.toSorted())
  expectFalling(result)
})
