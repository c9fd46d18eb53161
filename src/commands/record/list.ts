import { Refusal } from '../../errors.ts'
import { listRecords, listTrash, type RecordPage } from '../../memory/records/lists/list-records.ts'
import { toShownRecords } from '../../memory/records/lists/shown-record.ts'
import { shorten } from '../../memory/records/text-argument.ts'
import { EVERY_WORKSPACE } from '../../memory/search/request.ts'
import { findWorkspaceIds } from '../../memory/workspaces/workspace.ts'
import type { Service } from '../../service.ts'
import type { Project } from '../../store/account.ts'
import { type OptionsOf, readCount } from '../command.ts'
import { FILTER, toFilterArguments } from '../record-filter.ts'
import { onProject } from '../service-command.ts'
import { toListing, toOneLine, withMore } from '../terminal/text.ts'

const DEFAULT_LIMIT = 100
/** Bounded because all are held in memory; `memsvc export` streams. */
const MAX_LIMIT = 10_000
const MAX_OFFSET = 1_000_000

const LIST_OPTIONS = {
  '--workspace <name>': 'only records of this workspace',
  ...FILTER,
  '--forgotten': 'list the forgotten records that can still be restored instead, the last forgotten first',
  '--before <id>': 'continue after this record, the last one of an earlier list',
  '--offset <n>': { help: 'skip this many at the beginning', parse: readCount(MAX_OFFSET, 0) },
  '--limit <n>': {
    help: `maximum number, up to ${MAX_LIMIT}; export has all`,
    parse: readCount(MAX_LIMIT),
    default: DEFAULT_LIMIT,
  },
} as const

type Options = OptionsOf<typeof LIST_OPTIONS>

export const listCommand = onProject('list', 'list records, the last saved or refreshed first', {
  options: LIST_OPTIONS,
  act: async (service, project, options) => {
    const { records, older } = options.forgotten
      ? await readForgotten(service, project, options)
      : await readRecords(service, project, options)
    return { records: await toShownRecords(service, service.store.project(project.id), undefined, records), older }
  },
  toJson: ({ records }) => records,
  toText: ({ records, older }) => {
    const list = toListing(
      records,
      {
        ID: 'id',
        WORKSPACE: 'workspace',
        SCOPE: 'scope',
        STATE: ({ stale, status }) => (stale ? `${status}, stale` : status),
        SAVED: 'saved_at',
        'FACT KEY': ({ fact_key: key }) => toOneLine(key, MAX_NAME_WIDTH),
        SOURCE: ({ source_id: source }) => toOneLine(source ?? '-', MAX_NAME_WIDTH),
        CONTENT: ({ content }) => toOneLine(content),
      },
      'no records',
    )
    return withMore(list, older && `--before ${older}`)
  },
})

export const toViewer = ({ id, accountId }: Project) => ({ projectId: id, accountId, visible: undefined })

async function readRecords(service: Service, project: Project, options: Options): Promise<RecordPage> {
  const { workspace, before, offset, limit } = options
  const place = { workspace: workspace === EVERY_WORKSPACE ? undefined : workspace, before, offset, limit }
  return listRecords(service, toViewer(project), { ...toFilterArguments(options), ...place })
}

async function readForgotten(service: Service, project: Project, options: Options): Promise<RecordPage> {
  const { source_id: _, ...filter } = toFilterArguments(options)
  if (Object.keys(filter).length > 0 || (options.offset ?? 0) > 0)
    throw new Refusal('forgotten records can only be filtered by --workspace and --source')
  const { workspace, source: sourceId, before, limit } = options
  const { id } = project
  const workspaceIds =
    workspace === undefined ? undefined : await findWorkspaceIds(service.store.project(id), undefined, workspace)
  if (workspaceIds?.length === 0) throw new Refusal(`workspace '${shorten(workspace ?? '')}' is not active`)
  return listTrash(service, toViewer(project), { workspaceIds, sourceId, before, limit })
}

/** The largest width of a fact key or a source in the table. */
const MAX_NAME_WIDTH = 32
