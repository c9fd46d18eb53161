import { MAX_BRIEF_LENGTH, MIN_BRIEF_LENGTH, makeBrief, USUAL_BRIEF_LENGTH } from '../agent/brief/brief.ts'
import { isActive } from '../agent/brief/records.ts'
import { findWorkspace, setWorkspace } from '../agent/brief/workspace.ts'
import type { Environment } from '../agent/config.ts'
import { createServiceClient } from '../agent/service-client.ts'
import { Refusal, ServiceError } from '../errors.ts'
import type { Cli } from './cli.ts'
import { localCommand, readCount } from './command.ts'
import { CLIENT_OPTION, findConnection } from './find-connection.ts'

const TIMEOUT_MS = 3_000
const WORKSPACE = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,64}$/

/** Prints what a session should know at its start; nothing if the service cannot be asked. */
export const briefCommand = localCommand(
  'brief',
  'print what a session should know at its start: verified facts first, then the last saved',
  {
    options: {
      '--dir <dir>': { help: 'the folder that the session works in', default: '.' },
      '--max-chars <n>': {
        help: `maximum number of characters, from ${MIN_BRIEF_LENGTH} to ${MAX_BRIEF_LENGTH}`,
        parse: readCount(MAX_BRIEF_LENGTH, MIN_BRIEF_LENGTH),
        default: USUAL_BRIEF_LENGTH,
      },
      ...CLIENT_OPTION,
      '--workspace <name>': 'choose this workspace for the folder, from now on',
    },
    act: async (cli, { dir, maxChars, workspace: wished, client }) => {
      if (wished !== undefined) await decide(cli, dir, wished)
      return tryBrief(await findConnection(cli, { ...(client !== undefined && { client }) }), dir, maxChars)
    },
    toText: ({ text, error }, cli) => {
      // An assistant that runs this must not be disturbed: the status is 0.
      if (error !== null) cli.err(`memsvc: ${error}\n`)
      return text ?? ''
    },
  },
)

/**
 * The brief and the workspace of the folder, null if it has none of its own; or the reason why the service cannot be
 * asked.
 */
async function tryBrief(environment: Environment, dir: string, maxLength: number) {
  try {
    const client = createServiceClient(environment)
    const workspace = await findWorkspace(environment, dir, (name) => isActive(client, name, TIMEOUT_MS))
    const { text, ids } = await makeBrief(client, workspace, maxLength, TIMEOUT_MS)
    return { workspace: workspace ?? null, text, ids, error: null }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { workspace: null, text: null, ids: [], error: error.message }
  }
}

/** @throws Refusal for a name that a workspace cannot have. */
export function requireWorkspace(workspace: string): void {
  if (!WORKSPACE.test(workspace))
    throw new Refusal("--workspace must be 1 to 64 letters, digits, '.', '_' or '-', and not '.' or '..'")
}

async function decide({ environment }: Cli, dir: string, workspace: string): Promise<void> {
  requireWorkspace(workspace)
  await setWorkspace(environment, dir, workspace)
}
