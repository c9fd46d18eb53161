import { Refusal } from '../../../errors.ts'
import { ANALYZER_VERSION } from '../../../text/analyzer.ts'
import type { CheckedPart, CheckRequest, Fault, Pause, Remedy, ToEntry } from '../../check.ts'
import type { Indexing } from '../../search.ts'
import { type Connection, openBeside } from '../connection.ts'
import { toOpenError } from '../errors.ts'
import type { Kind } from '../file.ts'
import { migrations } from '../migrations.ts'
import { requireOurs } from '../open-file.ts'
import { countIndexFaults } from '../project/index/index-upkeep.ts'
import { CONTENT_BYTES } from '../project/record-row.ts'
import { checkRecords, sumOfIndex } from './records.ts'
import { countApplied, findChangedSchema } from './schema.ts'

export type CheckedFile = Pick<CheckedPart, 'faults' | 'records' | 'isIndexing'>

/** Maximum number of reported faults of SQLite's own checks. */
const MAX_TOLD = 3

/**
 * Checks a file for damage. Others may use it meanwhile; it is not changed. With `toEntry`, the index of a project is
 * compared with its records, which takes as long as indexing them; without it, about a minute per gigabyte. `projectId`
 * is the expected owner of the file. What cannot be read is a fault.
 *
 * @throws what `pause` does.
 */
export async function checkFile(path: string, kind: Kind, options: CheckRequest = {}): Promise<CheckedFile> {
  let connection: Connection | undefined
  try {
    connection = openBeside(path)
    requireOurs(connection, path, kind)
    return await checkOpened(connection, kind, options)
  } catch (error) {
    if (error instanceof Refusal) throw error
    const failure = toOpenError(error, path)
    return { faults: toFaults('restore', [failure instanceof Error ? failure.message : String(failure)]) }
  } finally {
    connection?.close()
  }
}

const withoutPause: Pause = async () => {}

async function checkOpened(
  connection: Connection,
  kind: Kind,
  { toEntry, projectId, pause = withoutPause }: CheckRequest,
): Promise<CheckedFile> {
  if (kind === 'project' && toEntry !== undefined)
    connection.run('create virtual table temp.pairs using fts5vocab(main, word_index, instance)')
  connection.run('pragma query_only = 1')
  // Reads one consistent snapshot of the file, unaffected by concurrent writes.
  connection.run('begin')
  const applied = countApplied(connection, kind)
  const faults = toFaults('restore', findChangedSchema(connection, kind, applied))
  await pause()
  const broken = findBroken(connection)
  faults.push(...broken)
  await pause()
  // The further checks support only the tables of this version.
  if (applied < migrations[kind].length || broken.some(({ remedy }) => remedy === 'restore')) return { faults }
  faults.push(...toFaults('restore', findDangling(connection, kind)))
  if (projectId !== undefined) faults.push(...toFaults('restore', findOtherOwner(connection, projectId)))
  if (kind !== 'project') return { faults }
  const { faults: found, ...checked } = await checkProject(connection, pause, toEntry)
  return { ...checked, faults: [...faults, ...found] }
}

/** Faults that SQLite finds in the pages and indexes of the file, and in the structure of the full-text index. */
function findBroken(connection: Connection): Fault[] {
  const rows = connection
    .query<{ fault: string }, []>("select integrity_check as fault from pragma_integrity_check where fault <> 'ok'")
    .all()
  const isOfWords = ({ fault }: { fault: string }) => /word_index/.test(fault)
  const told = (of: typeof rows) => of.slice(0, MAX_TOLD).map(({ fault }) => fault)
  return [
    ...toFaults('restore', told(rows.filter((row) => !isOfWords(row)))),
    ...toFaults('reindex', told(rows.filter(isOfWords))),
  ]
}

async function checkProject(connection: Connection, pause: Pause, toEntry: ToEntry | undefined): Promise<CheckedFile> {
  const { records, missing, orphaned, miscounted } = countIndexFaults(connection)
  const wrongUsage = countUsage(connection)
  await pause()
  const isCurrent = isIndexCurrent(connection)
  // Everything up to here is one consistent state. Contents never change, and a longer read transaction would prevent
  // the WAL from being checkpointed.
  if (toEntry === undefined) connection.run('commit')
  const read = await checkRecords(connection, pause, isCurrent ? toEntry : undefined)
  const isOther =
    toEntry !== undefined && isCurrent && read.changed === 0 && (await sumOfIndex(connection, pause)) !== read.sum
  const wrong: [number, Remedy, string][] = [
    [read.changed, 'restore', 'records whose content was changed'],
    [wrongUsage, 'restore', 'counts of records or bytes that are wrong'],
    [missing, 'reindex', 'records missing in the index'],
    [orphaned, 'reindex', 'entries of the index without a record'],
    [miscounted, 'reindex', 'wrong counts in the index'],
    [read.mistaken, 'reindex', 'records with tokens of another content'],
  ]
  const counted = wrong.flatMap(([count, remedy, text]) => (count === 0 ? [] : toFaults(remedy, [`${count} ${text}`])))
  return {
    records,
    ...(!isCurrent && { isIndexing: true }),
    faults: [...counted, ...toFaults('reindex', isOther ? ['the index does not say what the records do'] : [])],
  }
}

function findOtherOwner(connection: Connection, projectId: string): string[] {
  const owner = connection.query<{ id: string }, []>('select project_id as id from identity').get()?.id ?? projectId
  return owner === projectId ? [] : [`it is the file of project '${owner}'`]
}

/** False for an index that is being rebuilt or is of another version, whose differences are no damage. */
function isIndexCurrent(connection: Connection): boolean {
  const indexing = connection.query<Indexing, []>('select rules, target, reached from indexing').get()
  return indexing === null || (indexing.rules === ANALYZER_VERSION && indexing.target === ANALYZER_VERSION)
}

function countUsage(connection: Connection): number {
  const counted = `select count(*), coalesce(sum(${CONTENT_BYTES}), 0) from records where forgotten_at is null`
  return (
    connection
      .query<{ n: number }, []>(`select count(*) as n from usage where (records, content_bytes) <> (${counted})`)
      .get()?.n ?? 0
  )
}

const toFaults = (remedy: Remedy, texts: string[]): Fault[] => texts.map((text) => ({ text, remedy }))

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
    ['suggestions', 'source_id', 'sources'],
  ],
}

/** Numbers of rows with a dangling reference, by table. */
function findDangling(connection: Connection, kind: Kind): string[] {
  return REFERENCES[kind].flatMap(([from, column, to]) => {
    const sql = `select count(*) as n from ${from} where ${column} is not null and ${column} not in (select id from ${to})`
    const rows = connection.query<{ n: number }, []>(sql).get()?.n ?? 0
    return rows === 0 ? [] : [`${rows} rows of ${from} name ${to} that are not there`]
  })
}
