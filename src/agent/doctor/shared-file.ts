import { existsSync } from 'node:fs'
import { isAbsolute, join } from 'node:path'
import { SERVER_NAME } from '../../mcp-clients.ts'
import { listParents } from '../brief/repository.ts'
import { readText } from '../clients/change.ts'
import { readSettings } from '../clients/formats/settings.ts'
import { listEntries, type Registration } from '../clients/registration.ts'
import { type Check, checksOf, toFileProblem } from './check.ts'

/**
 * The file in a folder with which a team shares its servers. In Claude Code it takes precedence over the user's
 * settings.
 */
const FILE_NAME = '.mcp.json'
const OWN_PROGRAM = /(^|[\\/])memsvc(\.exe)?$/

const { warning, problem } = checksOf('client')

/**
 * Checks the service's entries in the shared files of a folder and its parents: whether the program exists, and whether
 * a key is in the file.
 */
export async function checkSharedFiles(folder: string): Promise<Check[]> {
  return (await Promise.all(listParents(folder).map((one) => checkFile(join(one, FILE_NAME))))).flat()
}

async function checkFile(file: string): Promise<Check[]> {
  try {
    const text = await readText(file)
    if (text === undefined) return []
    const entries = listEntries({ servers: 'mcpServers' }, readSettings('json', text))
    return entries.filter(isOurs).flatMap(([, entry]) => checkEntry(file, entry))
  } catch (error) {
    return [toFileProblem('Claude Code', file, error)]
  }
}

const isOurs = ([name, { command }]: [string, Registration]) => name === SERVER_NAME || OWN_PROGRAM.test(command ?? '')

function checkEntry(file: string, { command, key }: Registration): Check[] {
  const isGone = command !== undefined && isAbsolute(command) && !existsSync(command)
  return [
    ...(isGone
      ? [
          problem(
            'Claude Code',
            `${file} starts ${command}, which does not exist`,
            'correct the path there, or remove the entry',
          ),
        ]
      : []),
    ...(key === undefined
      ? []
      : [
          warning(
            'Claude Code',
            `a key is in ${file}, which everybody who has the folder can read`,
            `write \${SVC_API_KEY} instead of it`,
          ),
        ]),
  ]
}
