import { readFileSync } from 'node:fs'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import { Refusal } from '../../errors.ts'
import { changeIntegration } from '../../gateway/change-integration.ts'
import { readHeader, readHeaders } from '../../gateway/headers.ts'
import { addIntegration, requireIntegration } from '../../gateway/integration.ts'
import { PRESETS, withPreset } from '../../gateway/preset.ts'
import { probeIntegration, toProbeReport, toProbeText } from '../../gateway/probe.ts'
import type { Cli } from '../cli.ts'
import type { MakeCommand, OptionsOf } from '../command.ts'
import { ACCOUNT, commandOn, onAccount } from '../service-command.ts'

const toMilliseconds = (seconds: string | undefined) => (seconds === undefined ? undefined : Number(seconds) * 1000)

export const addCommand: MakeCommand = (cli) =>
  onAccount('add', 'connect a server and ask for its tools', {
    arguments: { '<slug>': 'short name, with which the names of its tools begin' },
    options: {
      ...HEADERS,
      '--url <url>': 'its address',
      '--preset <preset>': { help: 'a server whose settings are known', choices: Object.keys(PRESETS) },
      '--name <name>': 'its name for people',
      ...MODE,
      '--tool <tool...>': 'use only these tools',
      '--timeout <seconds>': 'time in which its server must answer a call or report progress; 300 if left out',
      '--stateful': 'a session for each key instead of one for each project',
      '--max-answer <bytes>': 'size of the largest answer; 1 MiB if left out',
    },
    act: async (
      service,
      account,
      { preset = '', tool, timeout, maxAnswer, url, name, mode, stateful, ...from },
      slug = '',
    ) => {
      const maxBytes = maxAnswer === undefined ? undefined : Number(maxAnswer)
      const input = withPreset(preset, {
        slug,
        url,
        name,
        mode,
        tools: tool,
        timeoutMs: toMilliseconds(timeout),
        stateful,
        maxBytes,
      })
      if (input === undefined) throw new Refusal('give --url or --preset')
      const headers = { ...input.headers, ...(await readHeaderOptions(cli, from)) }
      const integration = await addIntegration(service, COMMAND_LINE, account, { ...input, headers })
      return toProbeReport(integration, await probeIntegration(service, COMMAND_LINE, integration))
    },
    toText: (shown) => `added ${shown.slug}; integration enable shows its tools to a project\n${toProbeText(shown)}`,
  })(cli)

export const changeCommand: MakeCommand = (cli) =>
  onIntegration('change', 'change its settings, from the next call on', {
    options: {
      ...HEADERS,
      '--name <name>': 'its name for people',
      '--url <url>': 'its address; another server gets only a credential that is given with it',
      ...MODE,
      '--tool <tool...>': 'use only these tools',
      '--all-tools': 'use all of its tools',
      '--timeout <seconds>': 'time in which its server must answer a call or report progress',
      '--stateful': 'a session for each key',
      '--no-stateful': 'a session for each project, which its keys share',
    },
    act: async (service, integration, { name, url, mode, tool, allTools, timeout, stateful, ...from }) => {
      const headers = await readHeaderOptions(cli, from)
      const given = { name, url, mode, tools: allTools ? null : tool, timeoutMs: toMilliseconds(timeout), stateful }
      const change = { ...given, ...(Object.keys(headers).length > 0 && { headers }) }
      if (Object.values(change).every((value) => value === undefined))
        throw new Refusal('give what is to be changed, such as --url or --timeout')
      await changeIntegration(service, COMMAND_LINE, integration, change)
      return { slug: integration.slug, changed: true }
    },
    toText: (done) => `changed ${done.slug}`,
  })(cli)

/** What of an integration may be called. */
const MODE = {
  '--mode <mode>': {
    help: 'read-write lets gateway_call call tools that may write',
    choices: ['read-only', 'read-write'],
  },
} as const

/** Commands that act on an integration. */
export const onIntegration = commandOn({
  arguments: { '<slug>': 'slug or id' },
  options: ACCOUNT,
  find: async (service, { account }, slug = '') =>
    requireIntegration(service, COMMAND_LINE, await requireAccount(service, account), slug),
})

/**
 * The options that name where to read a credential. The credential is never an option itself, since other users of the
 * machine can read command lines.
 */
const HEADERS = {
  '--headers-file <file>': "file with the headers of the credential, as lines 'Name: value'",
  '--headers-env <variable>': 'environment variable with such lines',
  '--ask <header...>': 'ask for the value of this header; an Authorization without a scheme is sent as Bearer',
}

type HeaderOptions = OptionsOf<typeof HEADERS>

/** Reads the headers from all places that the options name. Throws a Refusal, whose text never contains a value. */
async function readHeaderOptions(
  cli: Cli,
  { headersFile, headersEnv, ask }: HeaderOptions,
): Promise<Record<string, string>> {
  const headers: Record<string, string> = {}
  if (headersFile !== undefined) Object.assign(headers, readHeaders(readText(headersFile)))
  if (headersEnv !== undefined) Object.assign(headers, readHeaders(requireVariable(cli, headersEnv)))
  for (const name of ask ?? []) Object.assign(headers, readHeader(name, await askFor(cli, name)))
  return headers
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new Refusal(`the file '${file}' cannot be read`)
  }
}

function requireVariable({ environment }: Cli, name: string): string {
  const value = environment[name]
  if (value === undefined || value === '') throw new Refusal(`the environment variable ${name} is not set`)
  return value
}

function askFor({ ask }: Cli, name: string): Promise<string> {
  if (ask === undefined) throw new Refusal('there is nobody to ask')
  return ask(`${name}: `)
}
