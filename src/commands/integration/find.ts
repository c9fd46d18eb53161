import { Command } from 'commander'
import { requireAccount } from '../../account/organizations/account.ts'
import { requireIntegration } from '../../gateway/integration.ts'
import type { Service } from '../../service.ts'
import type { Integration } from '../../store/integration.ts'
import { accountOption } from '../account-option.ts'

export type AccountOption = { account?: string }

/** A command about one integration of an account. */
export function aboutIntegration(name: string, does: string): Command {
  return new Command(name).description(does).argument('<slug>', 'slug or id').addOption(accountOption())
}

export async function findIntegration(service: Service, { account }: AccountOption, slug: string): Promise<Integration> {
  return requireIntegration(service, await requireAccount(service, account), slug)
}
