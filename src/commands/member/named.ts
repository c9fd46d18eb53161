import { Command } from 'commander'
import { requireAccount } from '../../account/organizations/account.ts'
import { requireMember } from '../../account/organizations/member.ts'
import type { Service } from '../../service.ts'
import type { Member } from '../../store/account.ts'

export type MemberOptions = { account?: string }

/** A command about one member. */
export function named(verb: string, description: string): Command {
  return new Command(verb)
    .description(description)
    .argument('<member>', 'e-mail or id')
    .option('--account <account>', 'name or id; a member is found without it')
}

export async function find(service: Service, { account }: MemberOptions, ref: string): Promise<Member> {
  return requireMember(service, ref, account === undefined ? undefined : await requireAccount(service, account))
}
