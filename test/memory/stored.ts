import { expect } from 'bun:test'
import type { Service } from '../../src/service.ts'
import type { StoredRecord } from '../../src/store/record.ts'
import { toComparableContent, toComparableKey } from '../../src/text/comparable.ts'
import { isSuperseded, type Model } from './model.ts'

type World = { service: Service; model: Model }

/**
 * Expects a project to hold what the model does: the same statuses, no name of what is not there, and of a fact one
 * current statement or a named conflict. Which of two verified records holds depends on what was chosen when both were
 * there: the model takes that over, after a check that it can be.
 */
export async function expectStored({ service, model }: World, project: string): Promise<void> {
  const records = await service.store.project(project).listRecords({ visible: undefined })
  for (const record of model.records.filter((one) => one.project === project && !one.forgotten)) {
    const stored = records.find(({ id }) => id === record.id)
    record.outvoted = record.verifiedAt !== undefined && stored?.status === 'superseded'
  }
  const kept = model.records.filter((record) => record.project === project && !record.forgotten)
  expect(records.map(({ id, status }) => [id, status])).toEqual(
    kept.map((record) => [
      record.id,
      isSuperseded(model, record) ? 'superseded' : record.verifiedAt === undefined ? 'unverified' : 'verified',
    ]),
  )
  for (const record of records) expectSound(records, record)
}

function expectSound(records: StoredRecord[], record: StoredRecord): void {
  const { status, supersededBy, verifiedAt } = record
  const by = records.find(({ id }) => id === supersededBy)
  if (status !== 'superseded') {
    expect(supersededBy).toBeNull()
    expect(
      records.filter((other) => contradict(record, other) && status === 'unverified' && other.status === 'unverified'),
    ).toEqual([])
    return
  }
  expect(by).toBeDefined()
  // A verified record gives way to one that was verified later and no other.
  if (verifiedAt !== null) expect(by?.verifiedAt ?? 0).toBeGreaterThan(verifiedAt)
}

/** Whether two current records of given keys say different things of one fact. */
function contradict(a: StoredRecord, b: StoredRecord): boolean {
  const sameFact =
    a.workspaceId === b.workspaceId &&
    a.audience === b.audience &&
    toComparableKey(a.factKey) === toComparableKey(b.factKey)
  return (
    sameFact && a.factKeyGiven && b.factKeyGiven && toComparableContent(a.content) !== toComparableContent(b.content)
  )
}
