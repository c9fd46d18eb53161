import type { Connection } from '../connection.ts'
import type { Kind } from '../file.ts'

/**
 * Columns that reference a row of another table which is never deleted before them. The tables declare no foreign keys,
 * which would cost a lookup at every save. (Members keep the id of a deleted department, and records the id of an
 * erased one.)
 */
const REFERENCES: Record<Kind, [from: string, column: string, to: string][]> = {
  control: [
    ['departments', 'account_id', 'accounts'],
    ['members', 'account_id', 'accounts'],
    ['projects', 'account_id', 'accounts'],
    ['integrations', 'account_id', 'accounts'],
    ['invitations', 'account_id', 'accounts'],
    ['access', 'member_id', 'members'],
    ['access', 'project_id', 'projects'],
    ['keys', 'project_id', 'projects'],
    ['keys', 'member_id', 'members'],
    ['enabled_integrations', 'integration_id', 'integrations'],
    ['enabled_integrations', 'project_id', 'projects'],
    ['tool_lists', 'integration_id', 'integrations'],
    ['grants', 'key_id', 'keys'],
    ['connections', 'key_id', 'keys'],
    ['passwords', 'member_id', 'members'],
    ['sessions', 'member_id', 'members'],
    ['entry_links', 'member_id', 'members'],
    ['email_changes', 'member_id', 'members'],
    ['browsers', 'member_id', 'members'],
  ],
  project: ['records', 'workspace_audiences', 'sources', 'imported_sources', 'audience_stats', 'languages'].map(
    (table) => [table, 'workspace_id', 'workspaces'],
  ),
  history: [
    ['lines', 'block', 'blocks'],
    ['blocks', 'source_id', 'sources'],
  ],
}

/** Numbers of rows with a dangling reference, by table. */
export function findDangling(connection: Connection, kind: Kind): string[] {
  return REFERENCES[kind].flatMap(([from, column, to]) => {
    const sql = `select count(*) as n from ${from} where ${column} is not null and ${column} not in (select id from ${to})`
    const rows = connection.query<{ n: number }, []>(sql).get()?.n ?? 0
    return rows === 0 ? [] : [`${rows} rows of ${from} name ${to} that are not there`]
  })
}
