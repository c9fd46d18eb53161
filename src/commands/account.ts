import { Command, Option } from 'commander'
import { type Actor, COMMAND_LINE } from '../account/auth/actor.ts'
import { type Overrides, overrideLimits } from '../account/limits/override-limits.ts'
import { type Limits, limitsOf } from '../account/limits/plan.ts'
import {
  addAccount,
  renameAccount,
  requireAccount,
  requireAccountOrRemoved,
  resumeAccount,
  suspendAccount,
} from '../account/organizations/account.ts'
import { changePolicy, POLICIES, type PolicyKind } from '../account/organizations/policies.ts'
import { findErasureTime, removeAccount, restoreAccount } from '../account/organizations/remove-account.ts'
import { subscriptionState } from '../account/subscription/subscription.ts'
import { toIsoTimeOrNull } from '../clock.ts'
import { Refusal } from '../errors.ts'
import type { Service } from '../service.ts'
import type { Account } from '../store/account.ts'
import type { Cli } from './cli.ts'
import { PLAN_NAMES } from './options.ts'
import { type CommandDefinition, defineCommand } from './report.ts'
import { toTable, toTableTime } from './terminal/table.ts'

/** How these commands take an account. */
const AS_ARGUMENT = 'as the argument'

/** `memsvc account add|list|show|rename|suspend|resume|remove|restore|limits|credentials|marked` */
export function accountCommand(cli: Cli): Command {
  return new Command('account')
    .description('manage organizations: their plan, limits and state')
    .addCommand(add(cli))
    .addCommand(list(cli))
    .addCommand(show(cli))
    .addCommand(rename(cli))
    .addCommand(toggle(cli, 'suspend', 'refuse all keys and connections of an account from the next call on (401)', suspendAccount))
    .addCommand(toggle(cli, 'resume', 'end a suspension', resumeAccount))
    .addCommand(remove(cli))
    .addCommand(restore(cli))
    .addCommand(limits(cli))
    .addCommand(policy(cli, CREDENTIALS))
    .addCommand(policy(cli, MARKED))
}

function add(cli: Cli): Command {
  const command = new Command('add')
    .description('add an account with a subscription without an end; creates the data folder if needed')
    .argument('<name>')
    .option('--plan <plan>', PLAN_NAMES, 'self-hosted')
  return defineAccountCommand(cli, command, {
    act: (service, { plan }: { plan: string }, name) => addAccount(service, COMMAND_LINE, { name, plan }),
    toText: ({ name, plan, id }) => `added account '${name}' on plan ${plan}; its id is ${id}`,
    mayCreate: true,
  })
}

function list(cli: Cli): Command {
  return defineCommand(cli, new Command('list').description('list all accounts'), {
    act: async ({ store, clock }) => (await store.control.list('accounts', {})).map((account) => toListedAccount(account, clock.now())),
    toText: (accounts) =>
      toTable(
        ['NAME', 'PLAN', 'SUBSCRIPTION', 'UNTIL', 'SUSPENDED', 'REMOVED', 'CREATED', 'ID'],
        accounts.map((account) => [
          account.name,
          account.plan,
          account.subscription,
          toTableTime(account.subscribed_until),
          toTableTime(account.suspended_at),
          toTableTime(account.removed_at),
          toTableTime(account.created_at),
          account.id,
        ]),
        'no accounts',
      ),
  })
}

function show(cli: Cli): Command {
  return defineAccountCommand(cli, toAccountCommand('show', 'show the plan, subscription and limits of an account'), {
    act: (service, _options, ref) => requireAccountOrRemoved(service, ref, AS_ARGUMENT),
    toText: toLines,
  })
}

function rename(cli: Cli): Command {
  const command = new Command('rename').description('rename an account').argument('<account>', 'name or id').argument('<name>')
  return defineAccountCommand(cli, command, {
    act: async (service, _options, ref, name = '') =>
      renameAccount(service, COMMAND_LINE, { account: await requireAccount(service, ref, AS_ARGUMENT), name }),
    toText: ({ name }) => `the account is now called '${name}'`,
  })
}

type Toggle = (service: Service, actor: Actor, account: Account) => Promise<Account>

function toggle(cli: Cli, verb: 'suspend' | 'resume', description: string, act: Toggle): Command {
  return defineAccountCommand(cli, toAccountCommand(verb, description), {
    act: async (service, _options, ref) => act(service, COMMAND_LINE, await requireAccount(service, ref, AS_ARGUMENT)),
    toText: ({ name }) => `${verb}${verb.endsWith('e') ? 'd' : 'ed'} account '${name}'`,
  })
}

function remove(cli: Cli): Command {
  const command = new Command('remove')
    .description('remove an account: refuse its keys, connections and people at once, and erase everything of it after SVC_TRASH_DAYS')
    .argument('<account>', 'name or id')
    .option('--confirm <name>', 'the name of the account once more; without it nothing is done')
  return defineCommand(cli, command, {
    act: async (service, { confirm }: { confirm?: string }, ref) => {
      const account = await requireAccountOrRemoved(service, ref)
      if (confirm !== account.name)
        throw new Refusal(
          `this removes account '${account.name}' with its people, keys, projects and records; add --confirm with its name to do it`,
        )
      const removed = await removeAccount(service, COMMAND_LINE, account)
      return { ...toListedAccount(removed, service.clock.now()), erased_at: toIsoTimeOrNull(findErasureTime(service, removed) ?? null) }
    },
    toText: ({ name, erased_at }) =>
      `removed account '${name}': its keys, connections and people are refused. It is erased for good after ${toTableTime(erased_at)}; until then 'memsvc account restore' brings it back`,
  })
}

function restore(cli: Cli): Command {
  const command = new Command('restore')
    .description('bring back a removed account that is not erased yet')
    .argument('<account>', 'name or id')
  return defineAccountCommand(cli, command, {
    act: async (service, _options, ref) => restoreAccount(service, COMMAND_LINE, await requireAccountOrRemoved(service, ref)),
    toText: ({ name }) => `restored account '${name}'`,
  })
}

function limits(cli: Cli): Command {
  const command = toAccountCommand('limits', "show an account's limits, or replace numbers of its plan")
    .option('--calls-per-key <n>', 'calls in 60 seconds by one key')
    .option('--calls-per-project <n>', 'calls in 60 seconds in one project')
    .option('--records <n>', 'records kept in one project')
    .option('--content-bytes <n>', 'bytes of content kept in one project')
    .option('--workspaces <n>', 'workspaces of one project')
    .option('--history-bytes <n>', 'bytes of session histories kept in one project')
    .addHelpText('after', "\nGive 'plan' instead of a number to return to the plan's.")
  return defineAccountCommand(cli, command, {
    act: async (service, { json: _, ...overrides }: Overrides & { json?: boolean }, ref) => {
      const account = await requireAccount(service, ref, AS_ARGUMENT)
      return Object.keys(overrides).length === 0 ? account : overrideLimits(service, COMMAND_LINE, { account, overrides })
    },
    toText: toLimitsText,
  })
}

type PolicyCommand = { kind: PolicyKind; description: string; choices: string }

const CREDENTIALS: PolicyCommand = {
  kind: 'credentials',
  description: 'show or set what happens to records that contain a password, key or token',
  choices: 'refuse them, save them with *** instead of it, or save them unchanged',
}
const MARKED: PolicyCommand = {
  kind: 'marked',
  description: 'show or set what happens to records that the guard marks, which read like an instruction',
  choices: 'save them with a caution until a person verifies them, refuse them, or save them unchanged',
}

function policy(cli: Cli, { kind, description, choices }: PolicyCommand): Command {
  const command = toAccountCommand(kind, description).addOption(new Option('--set <policy>', choices).choices(POLICIES[kind].values))
  return defineAccountCommand(cli, command, {
    act: async (service, { set }: { set?: string }, ref) => {
      const account = await requireAccount(service, ref, AS_ARGUMENT)
      return set === undefined ? account : changePolicy(service, COMMAND_LINE, { account, kind, policy: set })
    },
    toText: (account) => account[kind],
  })
}

function toLimitsText({ limits, overrides }: ListedAccount): string {
  const rows = Object.entries(limits).map(([name, number]) => [name, String(number), name in overrides ? 'own' : 'plan'])
  return toTable(['LIMIT', 'NUMBER', 'FROM'], rows, '')
}

function toAccountCommand(verb: string, description: string): Command {
  return new Command(verb).description(description).argument('[account]', 'name or id; may be left out if there is only one')
}

/** A command that prints an account, as it is now or has become. */
export function defineAccountCommand<Options extends object>(
  cli: Cli,
  command: Command,
  {
    act,
    ...definition
  }: Omit<CommandDefinition<Options, ListedAccount>, 'act'> & {
    act: (service: Service, options: Options, ...args: string[]) => Promise<Account>
  },
): Command {
  return defineCommand(cli, command, {
    ...definition,
    act: async (service, options: Options, ...args) => toListedAccount(await act(service, options, ...args), service.clock.now()),
  })
}

/** An account as JSON output. */
export type ListedAccount = ReturnType<typeof toListedAccount>

/** The state of the subscription is that at `now`, in milliseconds since 1970. */
function toListedAccount(account: Account, now: number) {
  return {
    id: account.id,
    name: account.name,
    plan: account.plan,
    subscription: subscriptionState(account, now),
    subscribed_at: toIsoTimeOrNull(account.subscribedAt),
    subscribed_until: toIsoTimeOrNull(account.subscribedUntil),
    suspended_at: toIsoTimeOrNull(account.suspendedAt),
    removed_at: toIsoTimeOrNull(account.removedAt),
    credentials: account.credentialPolicy,
    marked: account.markedPolicy,
    limits: toSnakeCase(limitsOf(account)),
    overrides: toSnakeCase(account.limits),
    created_at: toIsoTimeOrNull(account.createdAt),
  }
}

/** An account as text, one field a line. */
function toLines({ limits, overrides, ...fields }: ListedAccount): string {
  const lines = [
    ...Object.entries(fields).map(([name, value]) => [name, value ?? '-']),
    ...Object.entries(limits).map(([name, number]) => [name, `${number}${name in overrides ? ' (own)' : ''}`]),
  ]
  return lines.map(([name, value]) => `${name?.padEnd(18)} ${value}`).join('\n')
}

function toSnakeCase(limits: Limits | Record<string, number>): Record<string, number> {
  const entries = Object.entries(limits).map(([name, number]) => [name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), number])
  return Object.fromEntries(entries)
}
