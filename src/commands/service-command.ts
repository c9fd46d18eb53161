import { COMMAND_LINE } from '../account/auth/actor.ts'
import { PLANS } from '../account/limits/plan.ts'
import { requireAccount } from '../account/organizations/account.ts'
import { requireMember } from '../account/organizations/member.ts'
import { ROLES } from '../account/organizations/names.ts'
import { requireProject } from '../account/organizations/project.ts'
import { parseSpan } from '../clock.ts'
import { Refusal } from '../errors.ts'
import type { Service } from '../service.ts'
import type { Account, Member, Project } from '../store/account.ts'
import { withService } from './cli.ts'
import { type MakeCommand, type OptionSpecs, type OptionsOf, type Output, toCommand, type Usage } from './command.ts'
import { toChoice } from './terminal/text.ts'

type Definition<Specs extends OptionSpecs, Value> = Usage<Specs> &
  Output<Value> & {
    /** Whether the command may create a new data folder. */
    mayCreate?: boolean
  }

/** A command that acts on the service's data, also while a server runs on it. */
export function serviceCommand<const Specs extends OptionSpecs, Value>(
  name: string,
  help: string,
  definition: Definition<Specs, Value> & {
    act: (service: Service, options: OptionsOf<Specs>, ...args: string[]) => Promise<Value>
  },
): MakeCommand {
  const { act, mayCreate = false } = definition
  return (cli) =>
    toCommand(cli, name, help, definition, (options, args) =>
      withService(cli, (service) => act(service, options as OptionsOf<Specs>, ...args), { mayCreate }),
    )
}

/**
 * What a command acts on: the options that name it, and the argument, if there is one; and how it is found, or refused.
 */
type Subject<Specs extends OptionSpecs, Found> = {
  arguments?: Record<string, string>
  options: Specs
  find: (service: Service, options: OptionsOf<Specs>, ...args: string[]) => Promise<Found>
}

/** Returns a maker of commands that act on a subject. Its argument comes first, and is not passed on. */
export function commandOn<Named extends OptionSpecs, Found>(subject: Subject<Named, Found>) {
  return <const Specs extends OptionSpecs, Value>(
    name: string,
    help: string,
    definition: Definition<Specs, Value> & {
      act: (service: Service, found: Found, options: OptionsOf<Named & Specs>, ...args: string[]) => Promise<Value>
    },
  ): MakeCommand => {
    const options: OptionSpecs = { ...subject.options, ...definition.options }
    const taken = Object.keys(subject.arguments ?? {}).length
    return serviceCommand(name, help, {
      ...definition,
      arguments: { ...subject.arguments, ...definition.arguments },
      options,
      act: async (service, given, ...args) => {
        const found = await subject.find(service, given as OptionsOf<Named>, ...args.slice(0, taken))
        return definition.act(service, found, given as OptionsOf<Named & Specs>, ...args.slice(taken))
      },
    })
  }
}

/** The names of the plans and of the roles, for help. */
export const PLAN_NAMES = toChoice(Object.keys(PLANS))
export const ROLE_NAMES = toChoice(ROLES)

/** The account of a command; `requireAccount` does not need it where there is only one. */
export const ACCOUNT = { '--account <account>': 'name or id; may be left out if there is only one account' }

/** The role of a new member. */
export const ROLE = {
  '--role <role>': { help: 'their role in the account', choices: ROLES, default: 'member' },
} as const

/** Commands that act on the account of an option, and on one that is an argument. */
export const onAccount = commandOn({
  options: ACCOUNT,
  find: (service, { account }) => requireAccount(service, account),
})
export const onNamedAccount = commandOn({
  arguments: { '[account]': 'name or id; may be left out if there is only one' },
  options: {},
  find: (service, _options, ref) => requireAccount(service, ref, 'as the argument'),
})

/** Commands that act on a project. */
export const onProject = commandOn({
  options: {
    '--project <project>': { help: 'name or id', isRequired: true },
    '--account <account>': 'name or id; only needed if several accounts have a project of that name',
  },
  find: findProject,
})

/** The project that the options name. Throws a Refusal if there is none, or several of that name. */
export async function findProject(
  service: Service,
  { project, account }: { project: string; account?: string | undefined },
): Promise<Project> {
  return requireProject(service, project, await findAccount(service, account))
}

/** The account of an option that may be left out. Throws a Refusal if there is none of that name. */
export async function findAccount(service: Service, ref: string | undefined): Promise<Account | undefined> {
  return ref === undefined ? undefined : requireAccount(service, ref)
}

/** The member of a project's account that an option names, if it is given. Throws a Refusal if there is none. */
export async function findMember(
  service: Service,
  ref: string | undefined,
  { accountId }: Project,
): Promise<Member | undefined> {
  if (ref === undefined) return undefined
  return requireMember(service, COMMAND_LINE, ref, await requireAccount(service, accountId))
}

/**
 * Reads a duration, `0` or a whole number with `m`, `h` or `d`, as milliseconds. Throws a Refusal that names the
 * option.
 */
export function readDuration(name: string, text: string): number {
  if (text === '0') return 0
  const span = parseSpan(text)
  if (span === undefined) throw new Refusal(`${name} must be a time span such as 30m, 24h or 7d, not '${text}'`)
  return span
}
