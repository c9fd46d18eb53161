import { readFileSync } from 'node:fs'
import { COMMAND_LINE } from '../../account/auth/actor.ts'
import { requireAccount } from '../../account/organizations/account.ts'
import { Refusal } from '../../errors.ts'
import { readHeader, readHeaders } from '../../gateway/headers.ts'
import { requireIntegration } from '../../gateway/integration.ts'
import type { Cli } from '../cli.ts'
import type { OptionsOf } from '../command.ts'
import { ACCOUNT } from '../options.ts'
import { commandOn } from '../service-command.ts'

/** What of an integration may be called. */
export const MODE = {
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
export const HEADERS = {
  '--headers-file <file>': "file with the headers of the credential, as lines 'Name: value'",
  '--headers-env <variable>': 'environment variable with such lines',
  '--ask <header...>': 'ask for the value of this header; an Authorization without a scheme is sent as Bearer',
}

type HeaderOptions = OptionsOf<typeof HEADERS>

/** Reads the headers from all places that the options name. Throws a Refusal, whose text never contains a value. */
export async function readHeaderOptions(
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
