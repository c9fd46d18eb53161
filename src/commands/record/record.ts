import { Command } from 'commander'
import { Refusal } from '../../errors.ts'
import { requireAnyRecord } from '../../memory/records/list-records.ts'
import { prepareShown, toShownRecords } from '../../memory/records/shown-record.ts'
import { shorten } from '../../memory/records/text-argument.ts'
import type { ProjectStore } from '../../store/project.ts'
import type { StoredRecord } from '../../store/record.ts'
import type { Cli } from '../cli.ts'
import { findProject, type ProjectOptions, readCount, withProjectOptions } from '../options.ts'
import { defineCommand } from '../report.ts'
import { toOneLine, toTable, toTableTime } from '../terminal/table.ts'
import { restoreCommand } from './restore.ts'
import { unverifyCommand, verifyCommand } from './verify.ts'

const DEFAULT_LIMIT = 100
const MAX_LIMIT = 1_000_000

/** `memsvc record list|show|restore|verify|unverify` */
export function recordCommand(cli: Cli): Command {
  const command = new Command('record').description('records of a project, forgotten ones too')
  for (const verb of [list, show, restoreCommand, verifyCommand, unverifyCommand]) command.addCommand(verb(cli))
  return command
}

type ListOptions = ProjectOptions & { workspace?: string; source?: string; forgotten?: true; after?: string; limit: number }

function list(cli: Cli): Command {
  const command = withProjectOptions(new Command('list').description('records in their order of saving'))
    .option('--workspace <name>', 'only of this workspace')
    .option('--source <id>', 'only of this source')
    .option('--forgotten', 'the forgotten ones that can still be restored')
    .option('--after <id>', 'only those saved after this record')
    .option('--limit <n>', 'at most so many', readCount(MAX_LIMIT), DEFAULT_LIMIT)
  return defineCommand(cli, command, {
    act: async (service, options: ListOptions) => {
      const project = service.store.project((await findProject(service, options)).id)
      return toShownRecords(service, project, undefined, await listRecords(project, options))
    },
    toText: (records) =>
      toTable(
        ['ID', 'WORKSPACE', 'SCOPE', 'STATUS', 'SAVED', 'CONTENT'],
        records.map(({ id, workspace, scope, status, stale, created_at, content }) => [
          id,
          workspace,
          scope,
          stale ? `${status}, stale` : status,
          toTableTime(created_at),
          toOneLine(content),
        ]),
        'no records',
      ),
  })
}

async function listRecords(project: ProjectStore, { workspace, source, forgotten, after, limit }: ListOptions): Promise<StoredRecord[]> {
  const afterSeq = after === undefined ? undefined : (await requireAnyRecord(project, undefined, after)).seq
  const selection = { visible: undefined, sourceId: source, forgotten, afterSeq, limit }
  if (workspace === undefined) return project.listRecords(selection)
  const ids = await workspacesNamed(project, workspace, forgotten === true)
  const found = await Promise.all(ids.map((workspaceId) => project.listRecords({ ...selection, workspaceId })))
  return found
    .flat()
    .sort((a, b) => a.seq - b.seq)
    .slice(0, limit)
}

/** One workspace, and for forgotten records also those of the name that were removed. */
async function workspacesNamed(project: ProjectStore, name: string, removed: boolean): Promise<number[]> {
  const active = await project.findWorkspace(name)
  const gone = removed ? await project.listRemovedWorkspaces({ name, limit: MAX_LIMIT }) : []
  const ids = [...(active === undefined ? [] : [active]), ...gone].map(({ id }) => id)
  if (ids.length === 0) throw new Refusal(`workspace '${shorten(name)}' is not active`)
  return ids
}

function show(cli: Cli): Command {
  const command = withProjectOptions(new Command('show').description('one record with all that is kept of it').argument('<id>'))
  return defineCommand(cli, command, {
    act: async (service, options: ProjectOptions, id = '') => {
      const project = service.store.project((await findProject(service, options)).id)
      const record = await requireAnyRecord(project, undefined, id)
      return (await prepareShown(service, project, undefined, [record]))(record)
    },
    toText: ({ content, ...fields }) => {
      const rows = Object.entries(fields).filter(([, value]) => value !== null)
      return `${rows.map(([name, value]) => `${name.padEnd(13)} ${value}`).join('\n')}\n\n${content}`
    },
  })
}
