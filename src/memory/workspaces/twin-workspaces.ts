import type { ProjectReads } from '../../store/project.ts'
import { toComparableKey } from '../../text/comparable.ts'
import { eachWorkspaceBatch } from './list-workspaces.ts'

/**
 * Names of active workspaces that differ only in case, each group by name. Earlier programs made them. Time is linear
 * in the number of workspaces.
 */
export async function findTwinWorkspaces(project: ProjectReads): Promise<string[][]> {
  const names = new Map<string, string[]>()
  for await (const batch of eachWorkspaceBatch(project, undefined))
    for (const { name } of batch) names.set(toComparableKey(name), [...(names.get(toComparableKey(name)) ?? []), name])
  return [...names.values()].filter(({ length }) => length > 1)
}
