import { Command } from 'commander'
import { type Brief, MAX_BRIEF_LENGTH, MIN_BRIEF_LENGTH, makeBrief, USUAL_BRIEF_LENGTH } from '../agent/brief/brief.ts'
import { findWorkspace, setWorkspace } from '../agent/brief/workspace.ts'
import { createServiceClient } from '../agent/service-client.ts'
import { Refusal, ServiceError } from '../errors.ts'
import type { Cli } from './cli.ts'
import { readCount } from './read-count.ts'

const TIMEOUT_MS = 3_000
const WORKSPACE = /^[A-Za-z0-9._-]{1,64}$/

type Options = { dir: string; maxChars: number; workspace?: string; json?: true }

/** `memsvc brief`: prints what a session should know at its start; nothing if there is nothing, or the service cannot be reached. */
export function briefCommand(cli: Cli): Command {
  return new Command('brief')
    .description('print what a session should know at its start: verified facts first, then the last saved')
    .option('--dir <dir>', 'the folder that the session works in', '.')
    .option(
      '--max-chars <n>',
      `maximum number of characters, from ${MIN_BRIEF_LENGTH} to ${MAX_BRIEF_LENGTH}`,
      readCount(MAX_BRIEF_LENGTH, MIN_BRIEF_LENGTH),
      USUAL_BRIEF_LENGTH,
    )
    .option('--workspace <name>', 'use this workspace for the folder from now on')
    .option('--json', 'print one JSON value')
    .action((options: Options) => printBrief(cli, options))
}

async function printBrief(cli: Cli, { dir, maxChars, workspace: wished, json }: Options): Promise<void> {
  if (wished !== undefined) await decide(cli, dir, wished)
  const workspace = await findWorkspace(cli.environment, dir)
  const { brief, error } = await tryBrief(cli, workspace, maxChars)
  if (json) return cli.out(`${JSON.stringify({ workspace, text: brief?.text ?? null, ids: brief?.ids ?? [], error: error ?? null })}\n`)
  if (brief !== undefined) await cli.out(`${brief.text}\n`)
  // An assistant that runs this must not be disturbed; a person is told why nothing was printed.
  else if (cli.isTerminal)
    cli.err(`${error === undefined ? `nothing is recorded in workspace '${workspace}' or 'default'` : `memsvc: ${error}`}\n`)
}

/** The brief, if there is anything; the reason if the service cannot be asked. */
async function tryBrief(cli: Cli, workspace: string, maxLength: number): Promise<{ brief?: Brief | undefined; error?: string }> {
  try {
    return { brief: await makeBrief(createServiceClient(cli.environment), workspace, maxLength, TIMEOUT_MS) }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { error: error.message }
  }
}

async function decide({ environment }: Cli, dir: string, workspace: string): Promise<void> {
  if (!WORKSPACE.test(workspace)) throw new Refusal("--workspace must have 1 to 64 letters, digits, '.', '_' and '-'")
  await setWorkspace(environment, dir, workspace)
}
