import type { IssuedKey } from '../../src/account/keys/key.ts'
import { firstRun } from '../../src/account/organizations/first-run.ts'
import { readConfig } from '../../src/config.ts'
import { openService } from '../../src/service.ts'
import { buildOrganization } from '../../test/builders/organization.ts'

/** `actsUnderWay` are those of their assistants that have begun. */
export type Person = {
  id: string
  name: string
  email: string
  department: string | undefined
  isMoving: boolean
  isLeaving: boolean
  actsUnderWay: number
}

/** A key and when it ends: not before `endsFrom`, and for certain at `endedAt` (as `now` tells it). */
export type Key = { id: string; secret: string; endsFrom: number; endedAt: number }

/** Where an assistant works: for a person, or by a service key for nobody, in a project. */
export type Seat = { name: string; person: Person | undefined; project: string; author: string; key: Key }

export type Team = {
  accountId: string
  projects: { alpha: string; beta: string }
  departments: string[]
  people: Person[]
  clients: Seat[]
  agents: Seat[]
}

const ROLES = { Ada: 'owner', Ben: 'admin', Cleo: 'admin' } as const
const NAMES = ['Ada', 'Ben', 'Cleo', 'Dan', 'Eve', 'Finn', 'Gus', 'Hana']
/** Who else works in the second project; the last two clients are service keys. */
const IN_BETA = ['Dan', 'Eve']

export const toKey = (id: string, secret: string, end = Number.POSITIVE_INFINITY): Key => ({
  id,
  secret,
  endsFrom: end,
  endedAt: end,
})

/** A new data folder with two projects, two departments, eight people, twelve clients, and two local agents. */
export async function foundTeam(dataDir: string): Promise<Team> {
  const clock = { now: Date.now, ticks: () => performance.now() }
  const random = {
    uuid: (at: number) => Bun.randomUUIDv7('hex', at),
    bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
  }
  const config = { ...readConfig({}), dataDir }
  const service = await openService({ config, clock, random, log: () => {}, version: 'bench' })
  const first = await firstRun(service)
  if (first === undefined) throw new Error('the folder is not new')
  const org = buildOrganization({ service, ...first })
  const [alpha, beta] = [await org.addProject('alpha'), await org.addProject('beta')]
  const departments = [await org.addDepartment('engineering'), await org.addDepartment('sales')]
  const people: Person[] = []
  const members = new Map<string, Awaited<ReturnType<typeof org.addMember>>>()
  for (const [at, name] of NAMES.entries()) {
    const department = at < 6 ? departments[at % 2] : undefined
    const role = name in ROLES ? ROLES[name as keyof typeof ROLES] : 'member'
    const member = await org.addMember(name, { role, department })
    members.set(name, member)
    const states = { isMoving: false, isLeaving: false, actsUnderWay: 0 }
    people.push({ id: member.id, name, email: member.email, department: department?.id, ...states })
  }
  const toSeat = (name: string, project: string, person: Person | undefined, { key, secret }: IssuedKey): Seat => ({
    name,
    person,
    project,
    author: person?.id ?? key.id,
    key: toKey(key.id, secret),
  })
  const seat = async (name: string, project: typeof alpha, holder?: string): Promise<Seat> => {
    const member = holder === undefined ? undefined : members.get(holder)
    const person = people.find((one) => one.name === holder)
    return toSeat(name, project.id, person, await org.issueKey({ project, member }))
  }
  const clients: Seat[] = []
  for (const name of NAMES) clients.push(await seat(name, alpha, name))
  for (const name of IN_BETA) clients.push(await seat(`${name} in beta`, beta, name))
  for (const project of [alpha, beta]) clients.push(await seat(`robot of ${project.name}`, project))
  const agents = [await seat("Ada's agent", alpha, 'Ada'), await seat("Ben's agent", beta, 'Ben')]
  await service.close()
  const ids = departments.map(({ id }) => id)
  return {
    accountId: first.account.id,
    projects: { alpha: alpha.id, beta: beta.id },
    departments: ids,
    people,
    clients,
    agents,
  }
}
