import { COMMAND_LINE } from '../account/auth/actor.ts'
import { requireAccount } from '../account/organizations/account.ts'
import { addProject, removeProject, renameProject } from '../account/organizations/project.ts'
import { toIsoTimeOrNull } from '../clock.ts'
import { Refusal } from '../errors.ts'
import type { Service } from '../service.ts'
import type { Account, Project } from '../store/account.ts'
import { commandGroup } from './command.ts'
import { commandOn, findProject, onAccount, serviceCommand } from './service-command.ts'
import { toListing } from './terminal/text.ts'

const onNamedProject = commandOn({
  arguments: { '<project>': 'name or id' },
  options: { '--account <account>': 'its account: name or id' },
  find: (service, { account }, project = '') => findProject(service, { project, account }),
})

const addCommand = onAccount('add', 'add a project', {
  arguments: { '<name>': '' },
  act: async (service, account, _options, name = '') =>
    toJson(await addProject(service, COMMAND_LINE, { account, name }), account),
  toText: ({ name, id }) => `made project '${name}', id ${id}`,
})

const listCommand = serviceCommand('list', 'list projects', {
  options: { '--account <account>': 'only of this account: name or id' },
  act: async (service, { account: ref }) => {
    const accounts =
      ref === undefined
        ? await service.store.control.list('accounts', { removedAt: null })
        : [await requireAccount(service, ref)]
    return (await Promise.all(accounts.map((account) => listProjects(service, account)))).flat()
  },
  toText: (projects) =>
    toListing(projects, { PROJECT: 'name', ACCOUNT: 'account', CREATED: 'created_at', ID: 'id' }, 'no projects'),
})

async function listProjects({ store }: Service, account: Account) {
  const projects = await store.control.list('projects', { accountId: account.id, removedAt: null })
  return projects.map((project) => toJson(project, account))
}

const renameCommand = onNamedProject('rename', 'rename a project; its id, keys and records stay', {
  arguments: { '<name>': 'the new name' },
  act: async (service, project, _options, name = '') => {
    const renamed = await renameProject(service, COMMAND_LINE, { project, name })
    return { id: project.id, name: renamed.name, renamed_from: project.name }
  },
  toText: ({ name, renamed_from }) => `renamed project '${renamed_from}' to '${name}'`,
})

const removeCommand = onNamedProject(
  'remove',
  'erase a project for good, with its records; its keys stop working at once',
  {
    options: { '--yes': 'do it; this cannot be undone' },
    act: async (service, project, { yes }) => {
      if (!yes)
        throw new Refusal(`this erases project '${project.name}' and all its records for good; add --yes to do it`)
      await removeProject(service, COMMAND_LINE, project)
      return { id: project.id, name: project.name, removed: true }
    },
    toText: ({ name }) => `removed project '${name}'`,
  },
)

export const projectCommand = commandGroup(
  'project',
  'manage projects; each has its own keys, workspaces and records',
  [addCommand, listCommand, renameCommand, removeCommand],
)

function toJson({ id, name, createdAt }: Project, account: Account) {
  return { id, name, account: account.name, account_id: account.id, created_at: toIsoTimeOrNull(createdAt) }
}
