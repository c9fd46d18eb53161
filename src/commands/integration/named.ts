import { Command, Option } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import { requireIntegration } from '../../gateway/integration.ts'
import type { Service } from '../../service.ts'
import type { Integration } from '../../store/integration.ts'
import { accountOption } from '../options.ts'

export type AccountOption = { account?: string }

/** The option for what of an integration may be called. */
export function modeOption(): Option {
  return new Option('--mode <mode>', 'read-write lets gateway_call call tools that may write').choices(['read-only', 'read-write'])
}

/** A command that takes one integration as argument. */
export function toIntegrationCommand(name: string, description: string): Command {
  return new Command(name).description(description).argument('<slug>', 'slug or id').addOption(accountOption())
}

/** The integration that a command names. Throws a Refusal if there is none. */
export async function requireNamedIntegration(service: Service, { account }: AccountOption, slug: string): Promise<Integration> {
  return requireIntegration(service, COMMAND_LINE, await requireAccount(service, account), slug)
}
