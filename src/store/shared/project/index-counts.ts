import type { Visible } from '../../record.ts'
import { isVisible, type Params, type ProjectSql, toVisibleParams } from './sql.ts'

/**
 * Statements that read the statistics of the index, of one workspace or of all: how many records each visible audience
 * has there, and how many are in each language. `params` are those of both.
 */
export function toIndexCounts(
  { own }: ProjectSql,
  visible: Visible,
  workspaceId: number | undefined,
): { audiences: string; languages: string; params: Params } {
  const isInPart = `${own()} and ${isVisible(visible)} ${workspaceId === undefined ? '' : 'and workspace_id = $workspaceId'}`
  return {
    audiences: `select audience, sum(records) as records, sum(length) as length from audience_stats
      where ${isInPart} group by audience having sum(records) > 0`,
    languages: `select language, sum(records) as records from languages
      where ${isInPart} group by language having sum(records) > 0`,
    params: { ...toVisibleParams(visible), ...(workspaceId !== undefined && { workspaceId }) },
  }
}
