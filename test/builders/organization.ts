import { COMMAND_LINE, type MemberActor, toMemberActor } from '../../src/account/auth/actor.ts'
import { type IssuedKey, issueKey } from '../../src/account/keys/key.ts'
import { addAccount } from '../../src/account/organizations/account.ts'
import { addDepartment } from '../../src/account/organizations/department.ts'
import { addMember, type NewMember } from '../../src/account/organizations/member.ts'
import { addProject } from '../../src/account/organizations/project.ts'
import { addIntegration, enableIntegration, type IntegrationInput } from '../../src/gateway/integration.ts'
import type { Service } from '../../src/service.ts'
import type { Account, Department, Member, Project } from '../../src/store/account.ts'
import type { Integration } from '../../src/store/integration.ts'

/** A service, and the account and project that are meant where a wish names none. */
export type Founded = { service: Service; account: Account; project: Project }

/** What is not the usual of a member: role `member`, no department, an e-mail of their name, in the first account. */
type MemberWish = Partial<Omit<NewMember, 'name'>>

/** What is not the usual of a key: a service key of the first project. */
type KeyWish = Partial<Parameters<typeof issueKey>[2]>

/** Adds what organizations consist of to a running service, as its operator would from the command line. */
export function buildOrganization({ service, account, project }: Founded) {
  const org = {
    addAccount: (name: string, plan = 'team'): Promise<Account> => addAccount(service, COMMAND_LINE, { name, plan }),

    addProject: (name: string, of = account): Promise<Project> =>
      addProject(service, COMMAND_LINE, { account: of, name }),

    addDepartment: (name: string, of = account): Promise<Department> =>
      addDepartment(service, COMMAND_LINE, { account: of, name }),

    addMember: (name: string, wish: MemberWish = {}): Promise<Member> =>
      addMember(service, COMMAND_LINE, {
        account,
        email: `${name.toLowerCase()}@example.org`,
        name,
        role: 'member',
        ...wish,
      }),

    /**
     * Several members by their names: `const { ana, ben } = await org.addMembers({ ana: {}, ben: { role: 'admin' } })`.
     */
    addMembers: async <Name extends string>(wishes: Record<Name, MemberWish>): Promise<Record<Name, Member>> => {
      const added: Partial<Record<Name, Member>> = {}
      for (const name of Object.keys(wishes) as Name[]) added[name] = await org.addMember(name, wishes[name])
      return added as Record<Name, Member>
    },

    issueKey: (wish: KeyWish = {}): Promise<IssuedKey> => issueKey(service, COMMAND_LINE, { project, ...wish }),

    /** The text of a new key of a member, for a project. */
    keyOf: async (member: Member, of = project): Promise<string> =>
      (await org.issueKey({ member, project: of })).secret,

    addIntegration: (input: IntegrationInput, of = account): Promise<Integration> =>
      addIntegration(service, COMMAND_LINE, of, input),

    /**
     * An integration of the first account that is enabled for its first project; of another account, when told so, for
     * a project of that one.
     */
    connect: async (
      input: IntegrationInput,
      of: Pick<Founded, 'account' | 'project'> = { account, project },
    ): Promise<Integration> => {
      const integration = await org.addIntegration(input, of.account)
      await enableIntegration(service, COMMAND_LINE, { integration, project: of.project })
      return integration
    },
  }
  return org
}

/** A member as an actor, as the console makes them one. */
export async function toActor(
  { store }: Pick<Service, 'store'>,
  member: Member,
  clientIp = '192.0.2.1',
): Promise<MemberActor> {
  const account = await store.control.find('accounts', { id: member.accountId })
  if (account === undefined) throw new Error(`${member.email} has no account`)
  return toMemberActor({ member, account }, clientIp)
}
