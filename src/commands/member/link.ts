import type { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { ENTRY_PATH, makeEntryLink } from '../../account/auth/entry-link.ts'
import { toBaseUrl } from '../base-url.ts'
import type { Cli } from '../cli.ts'
import { defineCommand } from '../report.ts'
import { find, type MemberOptions, named } from './named.ts'

/** `memsvc member link` */
export function linkCommand(cli: Cli): Command {
  return defineCommand(cli, named('link', 'make a link by which a member comes into the console, once, and chooses a password'), {
    act: async (service, options: MemberOptions, ref) => {
      const member = await find(service, options, ref)
      const token = await makeEntryLink(service, member, COMMAND_LINE)
      return { link: `${toBaseUrl(service.config)}${ENTRY_PATH}${token}`, email: member.email }
    },
    toText: ({ link, email }) => `${link}\n\nFor ${email}; it works once, for 48 hours.`,
  })
}
