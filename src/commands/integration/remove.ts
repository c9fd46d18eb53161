import type { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { removeIntegration } from '../../gateway/integration.ts'
import type { Cli } from '../cli.ts'
import { defineCommand } from '../report.ts'
import { type AccountOption, aboutIntegration, findIntegration } from './find.ts'

/** `memsvc integration remove` */
export function removeCommand(cli: Cli): Command {
  return defineCommand(cli, aboutIntegration('remove', 'forget a server and its credential'), {
    act: async (service, options: AccountOption, slug) => {
      const integration = await findIntegration(service, options, slug)
      await removeIntegration(service, integration, COMMAND_LINE)
      return { slug: integration.slug, removed: true }
    },
    toText: (done) => `removed ${done.slug}`,
  })
}
