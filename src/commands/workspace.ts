import { Command } from 'commander'
import { COMMAND_LINE } from '../account/auth/actor.ts'
import { toIsoTimeOrNull } from '../clock.ts'
import { BATCH_WORKSPACES, eachWorkspaceBatch } from '../memory/workspaces/list-workspaces.ts'
import { removeWorkspace } from '../memory/workspaces/remove-workspace.ts'
import type { Service } from '../service.ts'
import { type Cli, withService } from './cli.ts'
import { findProject, type ProjectOptions, withProjectOptions } from './options.ts'
import { defineCommand } from './report.ts'
import { countOf } from './terminal/count-of.ts'
import { toTable, toTableTime } from './terminal/table.ts'

/** `memsvc workspace list|remove` */
export function workspaceCommand(cli: Cli): Command {
  const command = new Command('workspace').description('manage the named areas of a project; the first save into one creates it')
  return command.addCommand(list(cli)).addCommand(remove(cli))
}

function list(cli: Cli): Command {
  return withProjectOptions(new Command('list').description('list the workspaces of a project by name'))
    .option('--json', 'print one JSON value')
    .action((options: ProjectOptions & { json?: true }) => withService(cli, (service) => printAll(cli, service, options)))
}

/** Prints workspaces page by page, as they are read. */
async function printAll(cli: Cli, service: Service, { json, ...named }: ProjectOptions & { json?: true }): Promise<void> {
  const { id } = await findProject(service, named)
  let isFirst = true
  for await (const piece of eachWorkspaceBatch(service.store.project(id), undefined)) {
    const listed = piece.map(({ name, createdAt }) => ({ name, created_at: toIsoTimeOrNull(createdAt) }))
    await cli.out(json ? `${isFirst ? '[' : ','}${JSON.stringify(listed).slice(1, -1)}` : `${toLines(listed, isFirst)}\n`)
    isFirst = false
  }
  if (json) await cli.out(isFirst ? '[]\n' : ']\n')
  else if (isFirst) await cli.out('no workspaces\n')
}

/** The length of the longest name, for the width of the column if there are several pages. */
const NAME_WIDTH = 64

function toLines(workspaces: { name: string; created_at: string | null }[], withHead: boolean): string {
  const head = ['WORKSPACE', 'CREATED']
  const rows = workspaces.map(({ name, created_at }) => [name, toTableTime(created_at)])
  const width = workspaces.length < BATCH_WORKSPACES && withHead ? 0 : NAME_WIDTH
  const padded = rows.map(([name = '', created = '']) => [name.padEnd(width), created])
  const table = toTable(head, padded, '')
  return withHead ? table : table.slice(table.indexOf('\n') + 1)
}

function remove(cli: Cli): Command {
  const command = withProjectOptions(new Command('remove').argument('<workspace>')).description(
    "remove a workspace and forget its records; 'memsvc record restore' restores them while they are in the trash",
  )
  return defineCommand(cli, command, {
    act: async (service, options: ProjectOptions, name = '') => {
      const { id: projectId } = await findProject(service, options)
      const forgotten = await removeWorkspace(service, COMMAND_LINE, { projectId, name })
      return { workspace: name, removed: true, forgotten }
    },
    toText: ({ workspace, forgotten }) => `removed workspace '${workspace}'; ${countOf(forgotten, 'record')} forgotten`,
  })
}
