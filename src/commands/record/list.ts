import { Command } from 'commander'
import { Refusal } from '../../errors.ts'
import { listRecords, listTrash } from '../../memory/records/lists/list-records.ts'
import { toShownRecords } from '../../memory/records/lists/shown-record.ts'
import { shorten } from '../../memory/records/text-argument.ts'
import { EVERY_WORKSPACE } from '../../memory/search/request.ts'
import type { Service } from '../../service.ts'
import type { Project } from '../../store/account.ts'
import type { StoredRecord } from '../../store/record.ts'
import type { Cli } from '../cli.ts'
import { readCount } from '../command.ts'
import { findProject, type ProjectOptions, withProjectOptions } from '../options.ts'
import { type FilterOptions, toFilterArguments, withFilterOptions } from '../record-filter.ts'
import { defineCommand } from '../report.ts'
import { toOneLine, toTable, toTableTime } from '../terminal/table.ts'

const DEFAULT_LIMIT = 100
/** Bounded because all are held in memory; `memsvc export` streams. */
const MAX_LIMIT = 10_000
const MAX_OFFSET = 1_000_000
const MAX_REMOVED_WORKSPACES = 100_000

type Options = ProjectOptions & FilterOptions & { workspace?: string; forgotten?: true; before?: string; offset?: number; limit: number }

/** `memsvc record list` */
export function listCommand(cli: Cli): Command {
  const command = withProjectOptions(new Command('list').description('list records, the last saved or refreshed first')).option(
    '--workspace <name>',
    'only records of this workspace',
  )
  withFilterOptions(command)
    .option('--forgotten', 'list the forgotten records that can still be restored instead, the last forgotten first')
    .option('--before <id>', 'continue after this record, the last one of an earlier list')
    .option('--offset <n>', 'skip this many at the beginning', readCount(MAX_OFFSET, 0))
    .option('--limit <n>', `maximum number, up to ${MAX_LIMIT}; export has all`, readCount(MAX_LIMIT), DEFAULT_LIMIT)
  return defineCommand(cli, command, {
    act: async (service, options: Options) => {
      const project = await findProject(service, options)
      const records = options.forgotten ? await readForgotten(service, project, options) : await readRecords(service, project, options)
      return toListed(service, project, records)
    },
    toText: toRecordTable,
  })
}

const toViewer = ({ id, accountId }: Project) => ({ projectId: id, accountId, visible: undefined })

async function readRecords(service: Service, project: Project, options: Options): Promise<StoredRecord[]> {
  const { workspace, before, offset, limit } = options
  const place = { workspace: workspace === EVERY_WORKSPACE ? undefined : workspace, before, offset, limit }
  return (await listRecords(service, toViewer(project), { ...toFilterArguments(options), ...place })).records
}

async function readForgotten(service: Service, project: Project, options: Options): Promise<StoredRecord[]> {
  const { source_id: _, ...filter } = toFilterArguments(options)
  if (Object.keys(filter).length > 0 || (options.offset ?? 0) > 0)
    throw new Refusal('forgotten records can only be filtered by --workspace and --source')
  const { workspace, source: sourceId, before, limit } = options
  const workspaceIds = workspace === undefined ? undefined : await findWorkspaces(service, project, workspace)
  return (await listTrash(service, toViewer(project), { workspaceIds, sourceId, before, limit })).records
}

/** Ids of the workspace of this name, and of removed ones that had it. */
async function findWorkspaces({ store }: Service, { id }: Project, name: string): Promise<number[]> {
  const project = store.project(id)
  const active = await project.findWorkspace(name)
  const removed = await project.listRemovedWorkspaces({ name, limit: MAX_REMOVED_WORKSPACES })
  const ids = [...(active === undefined ? [] : [active]), ...removed].map((workspace) => workspace.id)
  if (ids.length === 0) throw new Refusal(`workspace '${shorten(name)}' is not active`)
  return ids
}

type Listed = Awaited<ReturnType<typeof toListed>>

function toListed(service: Service, { id }: Project, records: StoredRecord[]) {
  return toShownRecords(service, service.store.project(id), undefined, records)
}

function toRecordTable(records: Listed): string {
  return toTable(
    ['ID', 'WORKSPACE', 'SCOPE', 'STATE', 'SAVED', 'FACT KEY', 'SOURCE', 'CONTENT'],
    records.map((record) => [
      record.id,
      record.workspace,
      record.scope,
      record.stale ? `${record.status}, stale` : record.status,
      toTableTime(record.saved_at),
      toOneLine(record.fact_key, MAX_NAME_WIDTH),
      toOneLine(record.source_id ?? '-', MAX_NAME_WIDTH),
      toOneLine(record.content),
    ]),
    'no records',
  )
}

/** The largest width of a fact key or a source in the table. */
const MAX_NAME_WIDTH = 32
