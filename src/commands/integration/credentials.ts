import type { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { replaceHeaders } from '../../gateway/integration.ts'
import type { Cli } from '../cli.ts'
import { defineCommand } from '../report.ts'
import { type AccountOption, aboutIntegration, findIntegration } from './find.ts'
import { type HeaderOptions, readHeaderOptions, withHeaders } from './headers.ts'

/** `memsvc integration credentials` */
export function credentialsCommand(cli: Cli): Command {
  const command = withHeaders(aboutIntegration('credentials', 'give new values to headers; those that are not named stay'))
  return defineCommand(cli, command, {
    act: async (service, options: AccountOption & HeaderOptions, slug) => {
      const integration = await findIntegration(service, options, slug)
      const names = await replaceHeaders(service, integration, await readHeaderOptions(cli, options), COMMAND_LINE)
      return { slug: integration.slug, headers: names }
    },
    toText: (done) => `${done.slug} is sent ${done.headers.join(', ') || 'no headers'}`,
  })
}
