import { COMMAND_LINE } from '../account/auth/actor.ts'
import { requireAccount } from '../account/organizations/account.ts'
import {
  addDepartment,
  removeDepartment,
  renameDepartment,
  requireDepartment,
} from '../account/organizations/department.ts'
import { toIsoTimeOrNull } from '../clock.ts'
import type { Department } from '../store/account.ts'
import { commandGroup } from './command.ts'
import { ACCOUNT, commandOn, onAccount } from './service-command.ts'
import { toListing } from './terminal/text.ts'

const onDepartment = commandOn({
  arguments: { '<department>': 'name or id' },
  options: ACCOUNT,
  find: async (service, { account }, ref = '') =>
    requireDepartment(service, COMMAND_LINE, await requireAccount(service, account), ref),
})

const addCommand = onAccount('add', 'add a department', {
  arguments: { '<name>': '' },
  act: async (service, account, _options, name = '') =>
    toJson(await addDepartment(service, COMMAND_LINE, { account, name })),
  toText: ({ name, id }) => `added department '${name}'; its id is ${id}`,
})

const listCommand = onAccount('list', 'list the departments of an account', {
  act: async ({ store }, { id: accountId }) => {
    const members = await store.control.list('members', { accountId, removedAt: null })
    const departments = await store.control.list('departments', { accountId })
    return departments.map((department) => ({
      ...toJson(department),
      members: members.filter(({ departmentId }) => departmentId === department.id).length,
    }))
  },
  toText: (departments) =>
    toListing(departments, { NAME: 'name', MEMBERS: 'members', CREATED: 'created_at', ID: 'id' }, 'no departments'),
})

const renameCommand = onDepartment('rename', 'rename a department', {
  arguments: { '<name>': '' },
  act: async (service, department, _options, name = '') =>
    toJson(await renameDepartment(service, COMMAND_LINE, { department, name })),
  toText: ({ name }) => `the department is now called '${name}'`,
})

const removeCommand = onDepartment('remove', 'remove a department without members; its records stay, seen by nobody', {
  act: async (service, department) => {
    await removeDepartment(service, COMMAND_LINE, department)
    return { ...toJson(department), removed: true }
  },
  toText: ({ name }) => `removed department '${name}'`,
})

export const departmentCommand = commandGroup(
  'department',
  'manage departments of an account; records of scope department are visible to one of them',
  [addCommand, listCommand, renameCommand, removeCommand],
)

function toJson({ id, name, accountId, createdAt }: Department) {
  return { id, name, account_id: accountId, created_at: toIsoTimeOrNull(createdAt) }
}
