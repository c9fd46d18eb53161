import { COMMAND_LINE } from '../account/auth/actor.ts'
import { dropSubscription, endSubscription, subscribe } from '../account/subscription/subscription.ts'
import { readTime } from '../memory/records/text-argument.ts'
import { type ListedAccount, toListed } from './account.ts'
import { commandGroup } from './command.ts'
import { onAccount, PLAN_NAMES } from './service-command.ts'
import { toTableTime } from './terminal/text.ts'

const setCommand = onAccount('set', 'subscribe an account, renew it, or change its plan', {
  options: {
    '--plan <plan>': `${PLAN_NAMES}; the current plan if left out`,
    '--until <time>': 'a date (its first moment in UTC) or a time with a zone; no end if left out',
  },
  act: async (service, account, { plan = account.plan, until }) => {
    const input = { account, plan, until: until === undefined ? null : readTime('--until', until) }
    return toListed(service, await subscribe(service, COMMAND_LINE, input))
  },
  toText: toState,
})

const endCommand = onAccount(
  'end',
  'end a subscription: memory is read-only for 14 days, then unavailable; nothing is deleted',
  {
    options: { '--at <time>': 'a date or a time with a zone, also in the past; now if left out' },
    act: async (service, account, { at: time }) => {
      const at = time === undefined ? service.clock.now() : readTime('--at', time)
      return toListed(service, await endSubscription(service, COMMAND_LINE, { account, at }))
    },
    toText: toState,
  },
)

const noneCommand = onAccount('none', 'remove the subscription, as if the account had never subscribed', {
  act: async (service, account) => toListed(service, await dropSubscription(service, COMMAND_LINE, account)),
  toText: toState,
})

export const subscriptionCommand = commandGroup(
  'subscription',
  'set what an account has paid for; a running service applies it at once',
  [setCommand, endCommand, noneCommand],
)

function toState({ name, plan, subscription, subscribed_until: until }: ListedAccount): string {
  return `account '${name}': plan ${plan}, subscription ${subscription}${until === null ? '' : `, until ${toTableTime(until)} UTC`}`
}
