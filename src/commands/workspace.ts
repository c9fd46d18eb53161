import { resolve } from 'node:path'
import { COMMAND_LINE } from '../account/auth/actor.ts'
import { setWorkspace } from '../agent/brief/workspace.ts'
import { toIsoTimeOrNull } from '../clock.ts'
import { mergeWorkspaces, renameWorkspace } from '../memory/workspaces/change-workspace.ts'
import { removeWorkspace } from '../memory/workspaces/remove-workspace.ts'

import { BATCH_WORKSPACES, eachWorkspaceBatch, requireWorkspaceName } from '../memory/workspaces/workspace.ts'
import { commandGroup, localCommand, type MakeCommand } from './command.ts'
import { onProject } from './service-command.ts'
import { countOf, toTable, toTableTime } from './terminal/text.ts'

/** Prints workspaces page by page, as they are read. */
const listCommand: MakeCommand = (cli) =>
  onProject('list', 'list the workspaces of a project by name', {
    options: { '--json': 'print one JSON value' },
    act: async ({ store }, { id }, { json }) => {
      let isFirst = true
      for await (const piece of eachWorkspaceBatch(store.project(id), undefined)) {
        const listed = piece.map(({ name, createdAt }) => ({ name, created_at: toIsoTimeOrNull(createdAt) }))
        await cli.out(
          json ? `${isFirst ? '[' : ','}${JSON.stringify(listed).slice(1, -1)}` : `${toLines(listed, isFirst)}\n`,
        )
        isFirst = false
      }
      if (json) await cli.out(isFirst ? '[]\n' : ']\n')
      else if (isFirst) await cli.out('no workspaces\n')
    },
  })(cli)

/** The length of the longest name, for the width of the column if there are several pages. */
const NAME_WIDTH = 64

function toLines(workspaces: { name: string; created_at: string | null }[], withHead: boolean): string {
  const width = workspaces.length < BATCH_WORKSPACES && withHead ? 0 : NAME_WIDTH
  const rows = workspaces.map(({ name, created_at }) => [name.padEnd(width), toTableTime(created_at)])
  const table = toTable(['WORKSPACE', 'CREATED'], rows, '')
  return withHead ? table : table.slice(table.indexOf('\n') + 1)
}

const removeCommand = onProject(
  'remove',
  "remove a workspace and forget its records; 'memsvc record restore' restores them while they are in the trash",
  {
    arguments: { '<workspace>': '' },
    act: async (service, { id: projectId }, _options, name = '') => {
      const forgotten = await removeWorkspace(service, COMMAND_LINE, { projectId, name })
      return { workspace: name, removed: true, forgotten }
    },
    toText: ({ workspace, forgotten }) => `removed workspace '${workspace}'; ${countOf(forgotten, 'record')} forgotten`,
  },
)

const useCommand = localCommand('use', 'choose the workspace in which sessions in a folder save, from now on', {
  arguments: { '<workspace>': "its name; 'default' to choose none" },
  options: { '--dir <dir>': { help: 'the folder, or one inside its repository', default: '.' } },
  act: async ({ environment }, { dir }, name = '') => {
    requireWorkspaceName(name)
    await setWorkspace(environment, dir, name)
    return { folder: resolve(dir), workspace: name }
  },
  toText: ({ folder, workspace }) => `sessions in ${folder} save into workspace '${workspace}' and search all`,
})

const renameCommand = onProject('rename', 'rename a workspace; its records stay in it', {
  arguments: { '<workspace>': '', '<name>': 'the new name' },
  act: async (service, { id: projectId }, _options, name = '', newName = '') => {
    await renameWorkspace(service, COMMAND_LINE, { projectId, name, newName })
    return { workspace: newName, renamed_from: name }
  },
  toText: ({ workspace, renamed_from: before }) =>
    `renamed workspace '${before}' to '${workspace}'; folders that chose it: 'memsvc workspace use ${workspace}'`,
})

const mergeCommand = onProject(
  'merge',
  'move all records of a workspace into another one, where the rules of their fact keys apply, and remove it',
  {
    arguments: { '<workspace>': '', '<into>': 'the workspace that they are moved into' },
    act: async (service, { id: projectId }, _options, name = '', into = '') => {
      return {
        workspace: into,
        merged: name,
        ...(await mergeWorkspaces(service, COMMAND_LINE, { projectId, name, into })),
      }
    },
    toText: ({ workspace, merged, moved, there }) =>
      `merged workspace '${merged}' into '${workspace}': ${countOf(moved, 'record')} moved${there > 0 ? `, ${there} forgotten that it had already` : ''}`,
  },
)

export const workspaceCommand = commandGroup(
  'workspace',
  'manage the named areas of a project; the first save into one creates it',
  [listCommand, useCommand, renameCommand, mergeCommand, removeCommand],
)
