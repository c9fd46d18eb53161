import { type Check, checksOf } from '../../agent/doctor/check.ts'
import { StorageRefusal } from '../../errors.ts'
import { settleOrphans } from '../../memory/records/save/heirs.ts'
import { findTwinWorkspaces } from '../../memory/workspaces/twin-workspaces.ts'
import type { Service } from '../../service.ts'
import { countOf } from '../terminal/count-of.ts'

const { warning, problem } = checksOf('service')

/**
 * Settles facts that have no current record, as a crash may leave them, and looks for workspaces whose names differ only in case. Returns a check of each
 * project where there were some.
 */
export async function settleFacts(service: Service, projectIds: string[], names: Map<string, string>): Promise<Check[]> {
  const checks: Check[] = []
  for (const id of projectIds) {
    const name = names.get(id) ?? id
    checks.push(...(await settleFactsOf(service, id, `facts of '${name}'`)), ...(await checkTwins(service, id, name)))
  }
  return checks
}

/** A name in another case finds the oldest of them, so that facts are easily split. */
async function checkTwins({ store }: Service, projectId: string, project: string): Promise<Check[]> {
  const groups = await findTwinWorkspaces(store.project(projectId))
  return groups.map(([first = '', ...others]) =>
    warning(
      `workspaces of '${project}'`,
      `${[first, ...others].map((name) => `'${name}'`).join(' and ')} differ only in case`,
      others.map((name) => `'memsvc workspace merge ${name} ${first} --project ${project}'`).join(', '),
    ),
  )
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
