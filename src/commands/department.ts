import { Command } from 'commander'
import { COMMAND_LINE } from '../account/auth/actor.ts'
import { requireAccount } from '../account/organizations/account.ts'
import { addDepartment, removeDepartment, renameDepartment, requireDepartment } from '../account/organizations/department.ts'
import { toIsoTimeOrNull } from '../clock.ts'
import type { Service } from '../service.ts'
import type { Department } from '../store/account.ts'
import type { Cli } from './cli.ts'
import { accountOption } from './options.ts'
import { defineCommand } from './report.ts'
import { toTable, toTableTime } from './terminal/table.ts'

type Options = { account?: string }

/** `memsvc department add|list|rename|remove` */
export function departmentCommand(cli: Cli): Command {
  return new Command('department')
    .description('manage departments of an account; records of scope department are visible to one of them')
    .addCommand(add(cli))
    .addCommand(list(cli))
    .addCommand(rename(cli))
    .addCommand(remove(cli))
}

function add(cli: Cli): Command {
  const command = new Command('add').description('add a department').argument('<name>').addOption(accountOption())
  return defineCommand(cli, command, {
    act: async (service, { account }: Options, name) =>
      toJson(await addDepartment(service, COMMAND_LINE, { account: await requireAccount(service, account), name })),
    toText: ({ name, id }) => `added department '${name}'; its id is ${id}`,
  })
}

function list(cli: Cli): Command {
  const command = new Command('list').description('list the departments of an account').addOption(accountOption())
  return defineCommand(cli, command, {
    act: async (service, { account: ref }: Options) => {
      const account = await requireAccount(service, ref)
      const members = (await service.store.control.list('members', { accountId: account.id })).filter(({ removedAt }) => removedAt === null)
      const departments = await service.store.control.list('departments', { accountId: account.id })
      return departments.map((department) => ({
        ...toJson(department),
        members: members.filter(({ departmentId }) => departmentId === department.id).length,
      }))
    },
    toText: (departments) =>
      toTable(
        ['NAME', 'MEMBERS', 'CREATED', 'ID'],
        departments.map(({ name, members, created_at, id }) => [name, String(members), toTableTime(created_at), id]),
        'no departments',
      ),
  })
}

function rename(cli: Cli): Command {
  const command = toDepartmentCommand('rename', 'rename a department').argument('<name>')
  return defineCommand(cli, command, {
    act: async (service, options: Options, ref, name) =>
      toJson(await renameDepartment(service, COMMAND_LINE, { department: await find(service, options, ref), name })),
    toText: ({ name }) => `the department is now called '${name}'`,
  })
}

function remove(cli: Cli): Command {
  const command = toDepartmentCommand('remove', 'remove a department without members; its records stay, seen by nobody')
  return defineCommand(cli, command, {
    act: async (service, options: Options, ref) => {
      const department = await find(service, options, ref)
      await removeDepartment(service, COMMAND_LINE, department)
      return { ...toJson(department), removed: true }
    },
    toText: ({ name }) => `removed department '${name}'`,
  })
}

function toDepartmentCommand(verb: string, description: string): Command {
  return new Command(verb).description(description).argument('<department>', 'name or id').addOption(accountOption())
}

async function find(service: Service, { account }: Options, ref: string): Promise<Department> {
  return requireDepartment(service, COMMAND_LINE, await requireAccount(service, account), ref)
}

function toJson({ id, name, accountId, createdAt }: Department) {
  return { id, name, account_id: accountId, created_at: toIsoTimeOrNull(createdAt) }
}
