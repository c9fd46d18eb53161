import { Command } from 'commander'
import { COMMAND_LINE } from '../account/auth/actor.ts'
import { requireAccount } from '../account/organizations/account.ts'
import { dropSubscription, endSubscription, subscribe } from '../account/subscription/subscribe.ts'
import { readTime } from '../memory/records/text-argument.ts'
import { defineAccountCommand, type ListedAccount } from './account.ts'
import type { Cli } from './cli.ts'
import { accountOption, PLAN_NAMES } from './options.ts'
import { toTableTime } from './terminal/table.ts'

/** `memsvc subscription set|end|none` */
export function subscriptionCommand(cli: Cli): Command {
  return new Command('subscription')
    .description('set what an account has paid for; a running service applies it at once')
    .addCommand(set(cli))
    .addCommand(end(cli))
    .addCommand(none(cli))
}

type SetOptions = { account?: string; plan?: string; until?: string }

function set(cli: Cli): Command {
  const command = new Command('set')
    .description('subscribe an account, renew it, or change its plan')
    .addOption(accountOption())
    .option('--plan <plan>', `${PLAN_NAMES}; the current plan if left out`)
    .option('--until <time>', 'a date (its first moment in UTC) or a time with a zone; no end if left out')
  return defineAccountCommand(cli, command, {
    act: async (service, { account: ref, plan, until }: SetOptions) => {
      const account = await requireAccount(service, ref)
      const input = { plan: plan ?? account.plan, until: until === undefined ? null : readTime('--until', until) }
      return subscribe(service, COMMAND_LINE, { account, ...input })
    },
    toText: toState,
  })
}

function end(cli: Cli): Command {
  const command = new Command('end')
    .description('end a subscription: memory is read-only for 14 days, then unavailable; nothing is deleted')
    .addOption(accountOption())
    .option('--at <time>', 'a date or a time with a zone, also in the past; now if left out')
  return defineAccountCommand(cli, command, {
    act: async (service, { account: ref, at }: { account?: string; at?: string }) => {
      const time = at === undefined ? service.clock.now() : readTime('--at', at)
      return endSubscription(service, COMMAND_LINE, { account: await requireAccount(service, ref), at: time })
    },
    toText: toState,
  })
}

function none(cli: Cli): Command {
  const command = new Command('none')
    .description('remove the subscription, as if the account had never subscribed')
    .addOption(accountOption())
  return defineAccountCommand(cli, command, {
    act: async (service, { account: ref }: { account?: string }) =>
      dropSubscription(service, COMMAND_LINE, await requireAccount(service, ref)),
    toText: toState,
  })
}

function toState({ name, plan, subscription, subscribed_until: until }: ListedAccount): string {
  return `account '${name}': plan ${plan}, subscription ${subscription}${until === null ? '' : `, until ${toTableTime(until)} UTC`}`
}
