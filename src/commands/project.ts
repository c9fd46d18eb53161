import { Command } from 'commander'
import { COMMAND_LINE } from '../account/auth/actor.ts'
import { requireAccount } from '../account/organizations/account.ts'
import { addProject, removeProject, renameProject } from '../account/organizations/project.ts'
import { toIsoTimeOrNull } from '../clock.ts'
import { Refusal } from '../errors.ts'
import type { Service } from '../service.ts'
import type { Account, Project } from '../store/account.ts'
import type { Cli } from './cli.ts'
import { accountOption, findProject } from './options.ts'
import { defineCommand } from './report.ts'
import { toTable, toTableTime } from './terminal/table.ts'

type AccountOption = { account?: string }

/** `memsvc project add|list|rename|remove` */
export function projectCommand(cli: Cli): Command {
  const command = new Command('project').description('manage projects; each has its own keys, workspaces and records')
  return command.addCommand(add(cli)).addCommand(list(cli)).addCommand(rename(cli)).addCommand(remove(cli))
}

function add(cli: Cli): Command {
  const command = new Command('add').description('add a project').argument('<name>').addOption(accountOption())
  return defineCommand(cli, command, {
    act: async (service, { account: ref }: AccountOption, name = '') => {
      const account = await requireAccount(service, ref)
      return toJson(await addProject(service, COMMAND_LINE, { account, name }), account)
    },
    toText: ({ name, id }) => `made project '${name}', id ${id}`,
  })
}

function list(cli: Cli): Command {
  const command = new Command('list').description('list projects').option('--account <account>', 'only of this account: name or id')
  return defineCommand(cli, command, {
    act: async (service, { account: ref }: AccountOption) => {
      const accounts = ref === undefined ? await service.store.control.list('accounts', {}) : [await requireAccount(service, ref)]
      const present = accounts.filter(({ removedAt }) => removedAt === null)
      return (await Promise.all(present.map((account) => listProjects(service, account)))).flat()
    },
    toText: (projects) =>
      toTable(
        ['PROJECT', 'ACCOUNT', 'CREATED', 'ID'],
        projects.map(({ name, account, created_at, id }) => [name, account, toTableTime(created_at), id]),
        'no projects',
      ),
  })
}

async function listProjects({ store }: Service, account: Account) {
  const projects = await store.control.list('projects', { accountId: account.id })
  return projects.filter(({ removedAt }) => removedAt === null).map((project) => toJson(project, account))
}

function rename(cli: Cli): Command {
  const command = new Command('rename')
    .description('rename a project; its id, keys and records stay')
    .argument('<project>', 'name or id')
    .argument('<name>', 'the new name')
    .option('--account <account>', 'its account: name or id')
  return defineCommand(cli, command, {
    act: async (service, options: AccountOption, ref = '', name = '') => {
      const project = await findProject(service, { ...options, project: ref })
      const renamed = await renameProject(service, COMMAND_LINE, { project, name })
      return { id: project.id, name: renamed.name, renamed_from: project.name }
    },
    toText: ({ name, renamed_from }) => `renamed project '${renamed_from}' to '${name}'`,
  })
}

function remove(cli: Cli): Command {
  const command = new Command('remove')
    .description('erase a project for good, with its records; its keys stop working at once')
    .argument('<project>', 'name or id')
    .option('--account <account>', 'its account: name or id')
    .option('--yes', 'do it; this cannot be undone')
  return defineCommand(cli, command, {
    act: async (service, options: AccountOption & { yes?: true }, ref = '') => {
      const project = await findProject(service, { ...options, project: ref })
      if (!options.yes) throw new Refusal(`this erases project '${project.name}' and all its records for good; add --yes to do it`)
      await removeProject(service, COMMAND_LINE, project)
      return { id: project.id, name: project.name, removed: true }
    },
    toText: ({ name }) => `removed project '${name}'`,
  })
}

function toJson({ id, name, createdAt }: Project, account: Account) {
  return { id, name, account: account.name, account_id: account.id, created_at: toIsoTimeOrNull(createdAt) }
}
