import type { Command } from 'commander'
import { inspect } from '../../gateway/inspect.ts'
import { toInspectionText, toShownInspection } from '../../gateway/report.ts'
import type { Cli } from '../cli.ts'
import { defineCommand } from '../report.ts'
import { type AccountOption, aboutIntegration, findIntegration } from './find.ts'

/** `memsvc integration test` */
export function testCommand(cli: Cli): Command {
  return defineCommand(cli, aboutIntegration('test', 'ask its server for its tools, and say which of them are used'), {
    act: async (service, options: AccountOption, slug) => {
      const integration = await findIntegration(service, options, slug)
      return toShownInspection(integration, await inspect(service, integration))
    },
    toText: toInspectionText,
    refusal: ({ slug, works }) => (works ? undefined : `integration '${slug}' does not work`),
  })
}
