import { type Check, checksOf } from '../../agent/doctor/check.ts'
import { StorageRefusal } from '../../errors.ts'
import { settleOrphans } from '../../memory/records/save/heirs.ts'
import type { Service } from '../../service.ts'
import { countOf } from '../terminal/count-of.ts'

const { warning, problem } = checksOf('service')

/** Settles facts that have no current record, as a crash may leave them. Returns a check of each project where there were some. */
export async function settleFacts(service: Service, projectIds: string[], names: Map<string, string>): Promise<Check[]> {
  const checks: Check[] = []
  for (const id of projectIds) checks.push(...(await settleFactsOf(service, id, `facts of '${names.get(id) ?? id}'`)))
  return checks
}

async function settleFactsOf({ store, clock }: Service, projectId: string, title: string): Promise<Check[]> {
  try {
    const settled = await settleOrphans(store.project(projectId), clock.now())
    if (settled === 0) return []
    const detail = `${countOf(settled, 'fact')} had no current record, and ${settled === 1 ? 'has' : 'have'} one again`
    return [warning(title, detail, 'look whether it is the one that holds')]
  } catch (error) {
    if (!(error instanceof StorageRefusal)) throw error
    return [problem(title, `some have no current record: ${error.reason}`, 'run doctor again once the data can be written')]
  }
}
