import { newKey } from '../../src/account/keys/key.ts'
import { newAccount } from '../../src/account/organizations/account.ts'
import { newMember } from '../../src/account/organizations/member.ts'
import { newProject } from '../../src/account/organizations/project.ts'
import { createApp } from '../../src/app.ts'
import type { Service } from '../../src/service.ts'
import type { Account, Department, Member } from '../../src/store/account.ts'

/** The holder of a key, with what visibility depends on. */
export type Person = {
  project: string
  author: string
  member: Member | undefined
  department: string | undefined
  secret: string
}

/**
 * The department of each member, and the project and the holder of each key, all by number. A holder beyond the members
 * makes it a service key.
 */
export type Plan = { departments: (number | undefined)[]; keys: { project: number; holder: number }[] }

const [FIRST, SECOND] = [0, 1]
/** The account of each project: two of one, one of the other. */
const OWNERS = [FIRST, FIRST, SECOND]
export const MEMBERS_EACH = 3

/** Two accounts with two departments and three members each, three projects, and the keys of the plan. */
export async function makeOrganizations(service: Service, plan: Plan) {
  const name = service.random.uuid(0)
  const accounts = OWNERS.slice(1).map((_, at) => newAccount(service, { name: `${name} ${at}`, plan: 'self-hosted' }))
  const departments = accounts.map((account) => ['red', 'blue'].map((color) => newDepartment(service, account, color)))
  const members = accounts.map((account, at) =>
    plan.departments.slice(at * MEMBERS_EACH, (at + 1) * MEMBERS_EACH).map((department, of) =>
      newMember(service, {
        account,
        email: `${of}@${account.id}`,
        name: `member ${of}`,
        role: 'member',
        department: departments[at]?.[department ?? -1],
      }),
    ),
  )
  const projects = OWNERS.map((owner, at) =>
    newProject(service, { account: accounts[owner] as Account, name: `project ${at}` }),
  )
  const issued = plan.keys.map(({ project, holder }) => {
    const member = members[OWNERS[project] ?? 0]?.[holder]
    return { member, ...newKey(service, { project: projects[project] as (typeof projects)[0], member }) }
  })
  await service.store.control.write(async (tx) => {
    for (const account of accounts) await tx.insert('accounts', account)
    for (const department of departments.flat()) await tx.insert('departments', department)
    for (const member of members.flat()) await tx.insert('members', member)
    for (const project of projects) await tx.insert('projects', project)
    for (const { key } of issued) await tx.insert('keys', key)
  })
  const people = issued.map(
    ({ key, secret, member }): Person => ({
      project: key.projectId,
      author: member?.id ?? key.id,
      member,
      department: member?.departmentId ?? undefined,
      secret,
    }),
  )
  return { projects, departments, people }
}

function newDepartment({ clock, random }: Service, account: Account, name: string): Department {
  return { id: random.uuid(clock.now()), accountId: account.id, name, createdAt: clock.now() }
}

export type Answer = { isError: boolean; text: string }

/** Calls tools by requests to `POST /mcp`, handled in this process without a socket. */
export function createCalls(service: Service) {
  const app = createApp(service)
  const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  return async (person: Person, name: string, args: object): Promise<Answer> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
    const headers = { ...usual, authorization: `Bearer ${person.secret}` }
    const response = await app.handle(new Request('http://localhost/mcp', { method: 'POST', headers, body }))
    const { result } = (await response.json()) as { result: { content: [{ text: string }]; isError: boolean } }
    return { isError: result.isError, text: result.content[0].text }
  }
}
