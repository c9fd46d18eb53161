import { Command } from 'commander'
import { COMMAND_LINE } from '../account/audit.ts'
import { removeWorkspace } from '../memory/remove-workspace.ts'
import type { Cli } from './cli.ts'
import { findProject } from './find-project.ts'
import { type InProject, inProject } from './in-project.ts'
import { reports } from './report.ts'
import { toIsoTime, toShownTime, toTable } from './table.ts'

/** `memsvc workspace list|remove` */
export function workspaceCommand(cli: Cli): Command {
  const command = new Command('workspace').description('named areas inside a project; the first save into one makes it')
  return command.addCommand(list(cli)).addCommand(remove(cli))
}

function list(cli: Cli): Command {
  const command = inProject(new Command('list').description("a project's workspaces"))
  return reports(cli, command, {
    act: async (service, options: InProject) => {
      const project = await findProject(service, options)
      const workspaces = await service.store.project(project.id).listWorkspaces()
      return workspaces.map(({ name, createdAt }) => ({ name, created_at: toIsoTime(createdAt) }))
    },
    toText: (workspaces) =>
      toTable(
        ['WORKSPACE', 'CREATED'],
        workspaces.map(({ name, created_at }) => [name, toShownTime(created_at)]),
        'no workspaces',
      ),
  })
}

function remove(cli: Cli): Command {
  const command = inProject(new Command('remove').argument('<workspace>')).description(
    "remove a workspace and forget its records; 'memsvc record restore' brings them back while the trash keeps them",
  )
  return reports(cli, command, {
    act: async (service, options: InProject, name = '') => {
      const project = await findProject(service, options)
      const forgotten = await removeWorkspace(service, { project, name, visible: undefined }, COMMAND_LINE)
      return { workspace: name, removed: true, forgotten }
    },
    toText: ({ workspace, forgotten }) => `removed workspace '${workspace}'; ${forgotten} records forgotten`,
  })
}
