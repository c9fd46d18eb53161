import { constants, existsSync } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import { SERVER_NAME } from '../../mcp-clients/form.ts'
import { listParents } from '../brief/repository.ts'
import { readText } from '../clients/change.ts'
import { CLIENTS, type Client } from '../clients/clients.ts'
import { readSettings } from '../clients/formats/settings.ts'
import { HOOK_EVENTS, listHookFiles } from '../clients/hooks.ts'
import type { Machine } from '../clients/machine.ts'
import { listEntries, type Registration } from '../clients/registration.ts'
import { type Environment, readStateDir } from '../config.ts'
import { type Check, checksOf, toFileProblem } from './check.ts'
import { checkConnection } from './connection.ts'
import { checkHistories } from './histories.ts'
import { checkRegistrations } from './registrations.ts'

/** The checks of a person's machine; the service is called as `called` says. `now` returns milliseconds since 1970. */
export async function checkThisMachine(machine: Machine, called: Environment, now: () => number): Promise<Check[]> {
  const { environment } = machine
  const checks = await Promise.all([
    checkConnection(called, now),
    checkStateFolder(environment),
    checkHistories(machine, now),
    checkRegistrations(machine),
    checkHooks(machine),
    checkSharedFiles(environment.PWD || process.cwd()),
  ])
  return checks.flat()
}

/** Permission bits of users other than the owner. */
const OTHERS = 0o077

const { ok, warning, problem } = checksOf('client')

/**
 * Checks the folder of the agent's state: the last list of tools, workspaces of folders, and what sessions were told.
 */
async function checkStateFolder(environment: Environment): Promise<Check> {
  const folder = readStateDir(environment)
  const found = await stat(folder).catch(() => undefined)
  if (found === undefined) return ok('state folder', `${folder} does not exist yet`)
  const isWritable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable)
    return warning(
      'state folder',
      `${folder} cannot be written`,
      'make it writable for its user, or name another one with SVC_STATE_DIR',
    )
  if (process.platform !== 'win32' && (found.mode & OTHERS) !== 0)
    return warning('state folder', `others can read ${folder}`, `chmod 700 ${folder}`)
  return ok('state folder', folder)
}

/** Our hooks whose program no longer exists: they fail silently, since a hook must never hold up a session. */
async function checkHooks(machine: Machine): Promise<Check[]> {
  return (await Promise.all(CLIENTS.map((client) => checkClient(client, machine)))).flat()
}

async function checkClient(client: Client, machine: Machine): Promise<Check[]> {
  const files = listHookFiles(client.hooks, machine)
  return (await Promise.all(files.map((file) => checkFile(client, file)))).flat()
}

async function checkFile({ id, name }: Client, file: string): Promise<Check[]> {
  try {
    const text = await readText(file)
    if (text === undefined) return []
    const commands = listTexts(readSettings('json', text)).filter((one) => one.includes(` --client ${id}`))
    const gone = new Set(commands.flatMap(listProgram).filter((path) => isAbsolute(path) && !existsSync(path)))
    return [...gone].map((path) =>
      problem(name, `a hook in ${file} starts ${path}, which does not exist`, `'memsvc client add ${id} --hooks'`),
    )
  } catch (error) {
    return [toFileProblem(name, file, error)]
  }
}

const OUR_ARGUMENTS = new RegExp(` hook (?:${HOOK_EVENTS.join('|')}) --client `)

/** The program of a hook's command line, and its arguments before ours. */
function listProgram(command: string): string[] {
  const [program = ''] = command.split(OUR_ARGUMENTS)
  return [...program.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

function listTexts(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(listTexts) : []
}

/**
 * The file in a folder with which a team shares its servers. In Claude Code it takes precedence over the user's
 * settings.
 */
const SHARED_FILE = '.mcp.json'
const OWN_PROGRAM = /(^|[\\/])memsvc(\.exe)?$/

/**
 * Checks the service's entries in the shared files of a folder and its parents: whether the program exists, and whether
 * a key is in the file.
 */
async function checkSharedFiles(folder: string): Promise<Check[]> {
  return (await Promise.all(listParents(folder).map((one) => checkSharedFile(join(one, SHARED_FILE))))).flat()
}

async function checkSharedFile(file: string): Promise<Check[]> {
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
