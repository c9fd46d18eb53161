import { getTableColumns } from 'drizzle-orm'
import { getTableConfig, type PgColumn, type PgTable } from 'drizzle-orm/pg-core'
import type { Row } from '../../move/place.ts'
import type { MovedTable } from '../../move/tables.ts'
import { toRootDigest } from '../project/imported-sources.ts'
import { RECORD } from '../project/record-row.ts'
import { audit } from '../schema/audit.ts'
import * as control from '../schema/control.ts'
import { usageDaily } from '../schema/daily-use.ts'
import * as history from '../schema/history.ts'
import { enabledIntegrations, integrations, toolLists } from '../schema/integration.ts'
import { connections, grants, oauthClients } from '../schema/oauth.ts'
import * as project from '../schema/project.ts'
import { browsers, emailChanges, entryLinks, invitations, passwords, sessions } from '../schema/sign-in.ts'
import { windowAnswers, windowPlaces, windows } from '../schema/windows.ts'

/** A table, which of its columns are carried, the columns by which its rows are in order, and what is stored beside a carried row. */
export type PostgresMoved = {
  table: PgTable
  columns: Record<string, PgColumn>
  order: PgColumn[]
  toStored: (row: Row) => Row
}

/** All columns but these, in the order of the primary key. */
function moved(table: PgTable, ...without: string[]): PostgresMoved {
  const { primaryKeys, columns } = getTableConfig(table)
  // A key of several columns has copies of them, which cannot tell their types.
  const named = new Set(primaryKeys.flatMap((key) => key.columns.map(({ name }) => name)))
  const order = columns.filter(({ name, primary }) => primary || named.has(name))
  const carried = Object.entries(getTableColumns(table)).filter(([name]) => !without.includes(name))
  return { table, columns: Object.fromEntries(carried), order, toStored: (row) => row }
}

/** A table of the data of projects, each of which says whose its rows are. */
const ofProject = (table: PgTable) => moved(table, 'projectId')

/** Rows whose order is that in which they were added. */
const numbered = (table: PgTable & { number: PgColumn }): PostgresMoved => ({ ...moved(table, 'number'), order: [table.number] })

export const POSTGRES_MOVED: Record<MovedTable, PostgresMoved> = {
  accounts: moved(control.accounts),
  departments: moved(control.departments),
  members: moved(control.members),
  projects: moved(control.projects),
  access: moved(control.access),
  keys: moved(control.keys),
  passwords: moved(passwords),
  sessions: numbered(sessions),
  entryLinks: moved(entryLinks),
  invitations: moved(invitations),
  emailChanges: moved(emailChanges),
  browsers: numbered(browsers),
  oauthClients: moved(oauthClients),
  grants: moved(grants),
  connections: moved(connections),
  integrations: moved(integrations),
  enabledIntegrations: moved(enabledIntegrations),
  toolLists: moved(toolLists),
  audit: { ...moved(audit, 'scope'), toStored: (row) => ({ ...row, scope: scopeOf(row.details) }) },
  dailyUse: moved(usageDaily),
  workspaces: ofProject(project.workspaces),
  workspaceAudiences: ofProject(project.workspaceAudiences),
  records: { ...ofProject(project.records), columns: RECORD },
  recentStates: ofProject(project.recentStates),
  importedSources: {
    ...moved(project.importedSources, 'projectId', 'rootDigest'),
    toStored: (row) => ({ ...row, rootDigest: toRootDigest(String(row.root)) }),
  },
  sources: ofProject(project.sources),
  languages: ofProject(project.languages),
  releases: ofProject(project.releases),
  historySources: ofProject(history.historySources),
  blocks: ofProject(history.historyBlocks),
  lines: ofProject(history.historyLines),
  owners: ofProject(history.historyOwners),
}

/** Tables that are made anew from what is carried, or that count for this database and minute alone. */
export const POSTGRES_MADE_ANEW: PgTable[] = [
  control.controlVersion,
  windows,
  windowAnswers,
  windowPlaces,
  project.projectState,
  project.postingLists,
  project.audienceStats,
  history.historyState,
]

const scopeOf = (details: unknown) => {
  const { scope } = details as { scope?: unknown }
  return typeof scope === 'string' ? scope : null
}
