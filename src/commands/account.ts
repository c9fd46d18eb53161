import { COMMAND_LINE } from '../account/auth/actor.ts'
import { overrideLimits } from '../account/limits/override-limits.ts'
import { limitsOf } from '../account/limits/plan.ts'
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
import { commandGroup } from './command.ts'
import { commandOn, onNamedAccount, PLAN_NAMES, serviceCommand } from './service-command.ts'
import { toFacts, toListing, toTableTime } from './terminal/text.ts'

/** Commands that act on an account that may have been removed. */
const onAnyAccount = commandOn({
  arguments: { '<account>': 'name or id' },
  options: {},
  find: (service, _options, ref) => requireAccountOrRemoved(service, ref),
})

const addCommand = serviceCommand(
  'add',
  'add an account with a subscription without an end; creates the data folder if needed',
  {
    arguments: { '<name>': '' },
    options: { '--plan <plan>': { help: PLAN_NAMES, default: 'self-hosted' } },
    mayCreate: true,
    act: async (service, { plan }, name) => toListed(service, await addAccount(service, COMMAND_LINE, { name, plan })),
    toText: ({ name, plan, id }) => `added account '${name}' on plan ${plan}; its id is ${id}`,
  },
)

const listCommand = serviceCommand('list', 'list all accounts', {
  act: async (service) =>
    (await service.store.control.list('accounts', {})).map((account) => toListed(service, account)),
  toText: (accounts) =>
    toListing(
      accounts,
      {
        NAME: 'name',
        PLAN: 'plan',
        SUBSCRIPTION: 'subscription',
        UNTIL: 'subscribed_until',
        SUSPENDED: 'suspended_at',
        REMOVED: 'removed_at',
        CREATED: 'created_at',
        ID: 'id',
      },
      'no accounts',
    ),
})

const showCommand = serviceCommand('show', 'show the plan, subscription and limits of an account', {
  arguments: { '[account]': 'name or id; may be left out if there is only one' },
  act: async (service, _options, ref) =>
    toListed(service, await requireAccountOrRemoved(service, ref, 'as the argument')),
  toText: toLines,
})

const renameCommand = serviceCommand('rename', 'rename an account', {
  arguments: { '<account>': 'name or id', '<name>': '' },
  act: async (service, _options, ref, name = '') => {
    const account = await requireAccount(service, ref)
    return toListed(service, await renameAccount(service, COMMAND_LINE, { account, name }))
  },
  toText: ({ name }) => `the account is now called '${name}'`,
})

const toggle = (verb: 'suspend' | 'resume', help: string, act: typeof suspendAccount) =>
  onNamedAccount(verb, help, {
    act: async (service, account) => toListed(service, await act(service, COMMAND_LINE, account)),
    toText: ({ name }) => `${verb}${verb.endsWith('e') ? 'd' : 'ed'} account '${name}'`,
  })

const removeCommand = onAnyAccount(
  'remove',
  'remove an account: refuse its keys, connections and people at once, and erase everything of it after SVC_TRASH_DAYS',
  {
    options: { '--confirm <name>': 'the name of the account once more; without it nothing is done' },
    act: async (service, account, { confirm }) => {
      if (confirm !== account.name)
        throw new Refusal(
          `this removes account '${account.name}' with its people, keys, projects and records; add --confirm with its name to do it`,
        )
      const removed = await removeAccount(service, COMMAND_LINE, account)
      return { ...toListed(service, removed), erased_at: toIsoTimeOrNull(findErasureTime(service, removed) ?? null) }
    },
    toText: ({ name, erased_at }) =>
      `removed account '${name}': its keys, connections and people are refused. It is erased for good after ${toTableTime(erased_at)}; until then 'memsvc account restore' brings it back`,
  },
)

const restoreCommand = onAnyAccount('restore', 'bring back a removed account that is not erased yet', {
  act: async (service, account) => toListed(service, await restoreAccount(service, COMMAND_LINE, account)),
  toText: ({ name }) => `restored account '${name}'`,
})

const limitsCommand = onNamedAccount('limits', "show an account's limits, or replace numbers of its plan", {
  options: {
    '--calls-per-key <n>': 'calls in 60 seconds by one key',
    '--calls-per-project <n>': 'calls in 60 seconds in one project',
    '--records <n>': 'records kept in one project',
    '--content-bytes <n>': 'bytes of content kept in one project',
    '--workspaces <n>': 'workspaces of one project',
    '--history-bytes <n>': 'bytes of session histories kept in one project',
  },
  more: "\nGive 'plan' instead of a number to return to the plan's.",
  act: async (service, account, overrides) => {
    const isRead = Object.keys(overrides).length === 0
    return toListed(service, isRead ? account : await overrideLimits(service, COMMAND_LINE, { account, overrides }))
  },
  toText: ({ limits, overrides }) =>
    toListing(
      Object.entries(limits),
      { LIMIT: 0, NUMBER: 1, FROM: ([name]) => (name in overrides ? 'own' : 'plan') },
      '',
    ),
})

const policyCommand = (kind: PolicyKind, help: string, choices: string) =>
  onNamedAccount(kind, help, {
    options: { '--set <policy>': { help: choices, choices: POLICIES[kind].values } },
    act: async (service, account, { set }) =>
      toListed(
        service,
        set === undefined ? account : await changePolicy(service, COMMAND_LINE, { account, kind, policy: set }),
      ),
    toText: (account) => account[kind],
  })

export const accountCommand = commandGroup('account', 'manage organizations: their plan, limits and state', [
  addCommand,
  listCommand,
  showCommand,
  renameCommand,
  toggle('suspend', 'refuse all keys and connections of an account from the next call on (401)', suspendAccount),
  toggle('resume', 'end a suspension', resumeAccount),
  removeCommand,
  restoreCommand,
  limitsCommand,
  policyCommand(
    'credentials',
    'show or set what happens to records that contain a password, key or token',
    'refuse them, save them with *** instead of it, or save them unchanged',
  ),
  policyCommand(
    'marked',
    'show or set what happens to records that the guard marks, which read like an instruction',
    'save them with a caution until a person verifies them, refuse them, or save them unchanged',
  ),
])

export type ListedAccount = ReturnType<typeof toListed>

/** An account as JSON output, with the present state of its subscription. */
export function toListed({ clock }: Service, account: Account) {
  return {
    id: account.id,
    name: account.name,
    plan: account.plan,
    subscription: subscriptionState(account, clock.now()),
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
  return toFacts(lines, 19)
}

function toSnakeCase(limits: object): Record<string, number> {
  const toName = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return Object.fromEntries(Object.entries(limits).map(([name, number]) => [toName(name), number]))
}
