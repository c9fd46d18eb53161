import { Command, Option } from 'commander'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import { Refusal } from '../../errors.ts'
import { addIntegration, type IntegrationInput } from '../../gateway/integration.ts'
import { PRESETS, withPreset } from '../../gateway/preset.ts'
import { probeIntegration, toProbeReport, toProbeText } from '../../gateway/probe.ts'
import type { Cli } from '../cli.ts'
import { accountOption } from '../options.ts'
import { defineCommand } from '../report.ts'
import { type HeaderOptions, readHeaderOptions, withHeaders } from './headers.ts'
import { modeOption } from './named.ts'

type Options = HeaderOptions & {
  account?: string
  preset?: string
  url?: string
  name?: string
  mode?: IntegrationInput['mode']
  tool?: string[]
  timeout?: string
  stateful?: boolean
  maxAnswer?: string
}

/** `memsvc integration add` */
export function addCommand(cli: Cli): Command {
  const command = withHeaders(
    new Command('add')
      .description('connect a server and ask for its tools')
      .argument('<slug>', 'short name, with which the names of its tools begin'),
  )
    .addOption(accountOption())
    .option('--url <url>', 'its address')
    .addOption(new Option('--preset <preset>', 'a server whose settings are known').choices(Object.keys(PRESETS)))
    .option('--name <name>', 'its name for people')
    .addOption(modeOption())
    .option('--tool <tool...>', 'use only these tools')
    .option('--timeout <seconds>', 'time in which its server must answer a call or report progress; 300 if left out')
    .option('--stateful', 'a session for each key instead of one for each project')
    .option('--max-answer <bytes>', 'size of the largest answer; 1 MiB if left out')
  return defineCommand(cli, command, {
    act: async (service, options: Options, slug) => {
      const input = toInput(slug, options)
      const headers = { ...input.headers, ...(await readHeaderOptions(cli, options)) }
      const account = await requireAccount(service, options.account)
      const integration = await addIntegration(service, COMMAND_LINE, account, { ...input, headers })
      return toProbeReport(integration, await probeIntegration(service, COMMAND_LINE, integration))
    },
    toText: (shown) => `added ${shown.slug}; integration enable shows its tools to a project\n${toProbeText(shown)}`,
  })
}

function toInput(slug: string, options: Options): IntegrationInput {
  const { preset = '', url, name, mode, tool, timeout, maxAnswer, stateful } = options
  const input = withPreset(preset, {
    slug,
    url,
    name,
    mode,
    tools: tool,
    timeoutMs: timeout === undefined ? undefined : Number(timeout) * 1000,
    stateful,
    maxBytes: maxAnswer === undefined ? undefined : Number(maxAnswer),
  })
  if (input === undefined) throw new Refusal('give --url or --preset')
  return input
}
