import type { Command } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { Refusal } from '../../errors.ts'
import { changeIntegration, type IntegrationChange } from '../../gateway/integration.ts'
import type { Cli } from '../cli.ts'
import { defineCommand } from '../report.ts'
import { type HeaderOptions, readHeaderOptions, withHeaders } from './headers.ts'
import { type AccountOption, modeOption, requireNamedIntegration, toIntegrationCommand } from './named.ts'

type Options = AccountOption &
  HeaderOptions & {
    name?: string
    url?: string
    mode?: 'read-only' | 'read-write'
    tool?: string[]
    allTools?: boolean
    timeout?: string
    stateful?: boolean
  }

/** `memsvc integration change` */
export function changeCommand(cli: Cli): Command {
  const command = withHeaders(toIntegrationCommand('change', 'change its settings, from the next call on'))
    .option('--name <name>', 'its name for people')
    .option('--url <url>', 'its address; another server gets only a credential that is given with it')
    .addOption(modeOption())
    .option('--tool <tool...>', 'use only these tools')
    .option('--all-tools', 'use all of its tools')
    .option('--timeout <seconds>', 'time in which its server must answer a call or report progress')
    .option('--stateful', 'a session for each key')
    .option('--no-stateful', 'a session for each project, which its keys share')
  return defineCommand(cli, command, {
    act: async (service, options: Options, slug) => {
      const headers = await readHeaderOptions(cli, options)
      const change = { ...toChange(options), ...(Object.keys(headers).length > 0 && { headers }) }
      if (Object.values(change).every((value) => value === undefined))
        throw new Refusal('give what is to be changed, such as --url or --timeout')
      const integration = await requireNamedIntegration(service, options, slug)
      await changeIntegration(service, COMMAND_LINE, integration, change)
      return { slug: integration.slug, changed: true }
    },
    toText: (done) => `changed ${done.slug}`,
  })
}

function toChange({ name, url, mode, tool, allTools, timeout, stateful }: Options): IntegrationChange {
  return { name, url, mode, tools: allTools ? null : tool, timeoutMs: timeout === undefined ? undefined : Number(timeout) * 1000, stateful }
}
