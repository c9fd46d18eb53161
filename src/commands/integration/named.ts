import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import { requireIntegration } from '../../gateway/integration.ts'
import { ACCOUNT } from '../options.ts'
import { commandOn } from '../service-command.ts'

/** What of an integration may be called. */
export const MODE = {
  '--mode <mode>': { help: 'read-write lets gateway_call call tools that may write', choices: ['read-only', 'read-write'] },
} as const

/** Commands that act on an integration. */
export const onIntegration = commandOn({
  arguments: { '<slug>': 'slug or id' },
  options: ACCOUNT,
  find: async (service, { account }, slug = '') => requireIntegration(service, COMMAND_LINE, await requireAccount(service, account), slug),
})
