import { existsSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { isAbsolute } from 'node:path'
import { ServiceError } from '../../errors.ts'
import { isObject } from '../../jsonrpc.ts'
import { SERVER_NAME } from '../../mcp-clients/form.ts'
import { readText } from '../clients/change.ts'
import { CLIENTS, type Client, findInstalled } from '../clients/clients.ts'
import { readSettings, valueAt } from '../clients/formats/settings.ts'
import { isCached } from '../clients/kept-program.ts'
import type { Machine } from '../clients/machine.ts'
import { listEntries, type Registration, selectOwn, toAgentEnvironment } from '../clients/registration.ts'
import { createServiceClient } from '../service-client.ts'
import { type Check, checksOf, toFileProblem } from './check.ts'

const TIMEOUT_MS = 5_000
/** Permission bits of users other than the owner. */
const OTHERS = 0o077

const { ok, warning, problem } = checksOf('client')

/**
 * Checks every connected client: whether its settings can be read, its program exists, its key is accepted and
 * protected, and the service is registered only once.
 */
export async function checkRegistrations(machine: Machine): Promise<Check[]> {
  const checks = (await Promise.all(CLIENTS.map((client) => checkClient(client, machine)))).flat()
  if (checks.length > 0) return checks
  const installed = CLIENTS.filter((client) => findInstalled(client, machine) !== undefined)
  if (installed.length === 0) return [ok('clients', 'none is installed here')]
  const names = installed.map(({ name }) => name).join(', ')
  return [warning('clients', `none is connected; installed: ${names}`, "'memsvc client add --all'")]
}

async function checkClient(client: Client, machine: Machine): Promise<Check[]> {
  const file = client.file(machine)
  try {
    const text = await readText(file)
    if (text === undefined) return []
    const settings = readSettings(client.format, text)
    const entries = listEntries(client, settings)
    const checks = selectOwn(entries).map(async ([entry, own]) => {
      const named = entry === SERVER_NAME ? client : { ...client, name: `${client.name} (${entry})` }
      return [
        ...checkProgram(named, own),
        ...(await checkFile(named, file, own)),
        ...checkAddress(named, file, own),
        ...(entry === SERVER_NAME
          ? [...checkTwins(client, file, entries, own), ...checkFolders(client, settings)]
          : []),
        ...(await checkOwnKey(named, own, machine)),
      ]
    })
    return (await Promise.all(checks)).flat()
  } catch (error) {
    return [toFileProblem(client.name, file, error)]
  }
}

function checkProgram({ id, name }: Client, { command }: Registration): Check[] {
  if (command === undefined || !isAbsolute(command)) return []
  const advice = `'memsvc client add ${id}'`
  if (!existsSync(command)) return [problem(name, `starts ${command}, which does not exist`, advice)]
  return isCached(command)
    ? [warning(name, `starts ${command}, in a cache that may be emptied at any time`, advice)]
    : []
}

async function checkFile({ name }: Client, file: string, { key }: Registration): Promise<Check[]> {
  if (key === undefined || process.platform === 'win32') return []
  const isOpen = ((await stat(file)).mode & OTHERS) !== 0
  return isOpen ? [warning(name, `others can read the key in ${file}`, `chmod 600 ${file}`)] : []
}

/** The settings of a folder may set variables of programs that are started in it. */
function checkAddress({ id, name }: Client, file: string, { route, endpoint }: Registration): Check[] {
  if (route === 'http' || endpoint !== undefined) return []
  const detail = `the entry in ${file} names no address: one in the environment, where settings of a folder may set it, gets the key`
  return [warning(name, detail, `'memsvc client add ${id}'`)]
}

/** Under two names, every tool of the service would be listed twice. */
function checkTwins({ name }: Client, file: string, entries: [string, Registration][], own: Registration): Check[] {
  const twins = entries
    .filter(([other, registration]) => other !== SERVER_NAME && isSame(registration, own))
    .map(([other]) => `'${other}'`)
  if (twins.length === 0) return []
  return [
    warning(
      name,
      `the service is also registered in ${file} as ${twins.join(', ')}, so every tool is listed twice`,
      'remove one of them',
    ),
  ]
}

/** A folder's own entry overrides the user's, with its own key and address. */
function checkFolders({ name, folderSettings, servers }: Client, settings: Record<string, unknown>): Check[] {
  const folders = folderSettings === undefined ? {} : settings[folderSettings]
  const own = Object.entries(isObject(folders) ? folders : {}).filter(
    ([, one]) => valueAt(one, [servers, SERVER_NAME]) !== undefined,
  )
  return own.map(([folder]) =>
    warning(
      name,
      `in ${folder} another entry overrides it`,
      `remove that one, unless it is intended: 'claude mcp remove memsvc'`,
    ),
  )
}

function isSame(one: Registration, other: Registration): boolean {
  // Another key may be of another project, and another address is another service.
  if (differ(one.key, other.key) || (one.route === 'agent' && differ(one.endpoint, other.endpoint))) return false
  if (one.route === 'agent')
    return one.command !== undefined && (one.command === other.command || /memsvc(\.exe)?$/.test(one.command))
  return (
    /\/mcp\/?$/.test(one.endpoint ?? '') && hostOf(one.endpoint) === hostOf(other.endpoint ?? 'http://127.0.0.1:8787')
  )
}

const differ = (one: string | undefined, other: string | undefined) =>
  one !== undefined && other !== undefined && one !== other

const hostOf = (url: string | undefined) => URL.parse(url ?? '')?.host

async function checkOwnKey(
  { id, name }: Client,
  registration: Registration,
  { environment }: Machine,
): Promise<Check[]> {
  const how = registration.route === 'agent' ? 'through the agent' : 'by HTTP'
  try {
    const { key: shown, project } = await createServiceClient(
      toAgentEnvironment(registration, environment),
    ).readKeyInfo(TIMEOUT_MS)
    return [ok(name, `connected ${how}; svc_${shown}… is accepted for project '${project}'`)]
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    if (error.code === 'key_missing')
      return [
        warning(
          name,
          `connected ${how}; reads SVC_API_KEY, which is not set here`,
          `start ${name} in an environment that sets it`,
        ),
      ]
    return [
      problem(
        name,
        `connected ${how}; ${error.message}`,
        error.code.startsWith('key') ? `'memsvc client add ${id}' with another key` : 'see above',
      ),
    ]
  }
}
