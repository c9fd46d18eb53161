import { resolve } from 'node:path'
import type { Client } from '../../agent/clients/clients.ts'
import type { Machine } from '../../agent/clients/machine.ts'
import { type Credentials, type KeySource, readRegistration } from '../../agent/clients/registration.ts'
import { readEndpoint, readKey } from '../../agent/config.ts'
import { createServiceClient, type KeyInfo } from '../../agent/service-client.ts'
import { Refusal, ServiceError } from '../../errors.ts'
import { isWholeKey, shownOf } from '../../secrets/key.ts'
import type { Cli } from '../cli.ts'

type KeyOptions = { keyStdin?: true; project?: string; member?: string; dryRun?: true; name?: string }

/** Credentials as they can be shown, and a function that obtains the key itself once the person has agreed. */
export type WantedKey = Credentials & { obtain: () => Promise<KeySource> }

/** Placeholder for a key that is not issued yet. */
const NEW_KEY = 'svc_<new key>'

/**
 * The key for a client and the address it belongs to: from the environment, standard input, the client's present
 * settings, a service on this machine, or the person. Where `SVC_ENDPOINT` is set, only for that address.
 *
 * @throws ServiceError for a key or an endpoint in the environment that cannot be one, Refusal if there is no key.
 */
export async function findKey(cli: Cli, client: Client, machine: Machine, options: KeyOptions): Promise<WantedKey> {
  const endpoint = readEndpoint(cli.environment)
  const given = await findGivenKey(cli, options)
  if (given !== undefined) return toWanted(endpoint, given)
  // A key of another address than the wished one must not be sent there.
  const isWished = (address: string) => !cli.environment.SVC_ENDPOINT || address === endpoint
  const present = await findPresentKey(client, machine, options.name)
  const fault =
    present === undefined || !isWished(present.endpoint) ? undefined : await findFault(cli, present, options)
  if (present !== undefined && isWished(present.endpoint) && fault === undefined) return present
  const local = await (await import('./issue-key.ts')).findLocalService(cli, client, { ...options, isWished })
  if (present !== undefined && fault?.isPassing && (local === undefined || local.baseUrl === present.endpoint))
    return present
  if (fault !== undefined) cli.err(`${client.name}: ${fault.text}\n`)
  if (local !== undefined)
    return { endpoint: local.baseUrl, source: { kind: 'settings', key: NEW_KEY }, obtain: local.issue }
  return toWanted(endpoint, { kind: 'settings', key: await askForKey(cli, endpoint, options) })
}

async function findGivenKey(cli: Cli, { keyStdin }: KeyOptions): Promise<KeySource | undefined> {
  const { SVC_API_KEY, SVC_API_KEY_FILE } = cli.environment
  if (keyStdin) return { kind: 'settings', key: requireKey(await readInput(cli)) }
  if (SVC_API_KEY) return { kind: 'variable', key: await readKey(cli.environment) }
  if (SVC_API_KEY_FILE) return { kind: 'file', path: resolve(SVC_API_KEY_FILE), key: await readKey(cli.environment) }
  return undefined
}

/**
 * What speaks against the present key, as told; `isPassing`: it may be right all the same, since its service cannot be
 * asked.
 */
type Fault = { text: string; isPassing: boolean }

async function findFault(cli: Cli, present: WantedKey, { project }: KeyOptions): Promise<Fault | undefined> {
  const { isAccepted, isRejected, text, project: known } = await checkService(present)
  if (isRejected) return { text: `the key in its settings is rejected by ${present.endpoint}`, isPassing: false }
  if (!isAccepted) return { text: `its settings name ${present.endpoint}. ${text}`, isPassing: true }
  const stays = `It stays valid until 'memsvc key revoke ${shownOf(present.source.key)}', or until it is revoked in the console.`
  if (project !== undefined && known !== undefined && ![known.project, known.project_id].includes(project)) {
    return {
      text: `the key in its settings is of project '${known.project}', not '${project}'. ${stays}`,
      isPassing: false,
    }
  }
  const wished = await findWishedAddress(cli)
  if (wished === undefined || wished === present.endpoint) return undefined
  return { text: `the key in its settings is for ${present.endpoint}, not ${wished}. ${stays}`, isPassing: false }
}

/**
 * The address of the service whose data folder or port the environment names; undefined if it names none, or there is
 * no data.
 */
async function findWishedAddress(cli: Cli): Promise<string | undefined> {
  const { SVC_DATA_DIR, SVC_PORT, SVC_ENDPOINT } = cli.environment
  if (SVC_ENDPOINT || !(SVC_DATA_DIR || SVC_PORT)) return undefined
  return (await import('./issue-key.ts')).findLocalAddress(cli)
}

/** The key in the client's present settings and its service, so that connecting it again needs no new key. */
async function findPresentKey(client: Client, machine: Machine, name?: string): Promise<WantedKey | undefined> {
  // Settings that cannot be parsed are refused later, before they would be changed.
  const { key, endpoint } = (await readRegistration(client, machine, name).catch(() => undefined)) ?? {}
  if (key === undefined || !isWholeKey(key)) return undefined
  return toWanted(readEndpoint({ SVC_ENDPOINT: endpoint }), { kind: 'settings', key })
}

async function askForKey(cli: Cli, endpoint: string, { dryRun }: KeyOptions): Promise<string> {
  if (dryRun) return NEW_KEY
  const absence = await (await import('./issue-key.ts')).findAbsence(cli)
  if (absence !== undefined) cli.err(`${absence}\n`)
  if (cli.confirm !== undefined && cli.ask !== undefined)
    return requireKey(await cli.ask(`Key of ${endpoint} (its console issues one): `))
  throw new Refusal(
    `there is no key of ${endpoint}: set SVC_API_KEY, or give one on standard input with --key-stdin; the console issues them`,
  )
}

function toWanted(endpoint: string, source: KeySource): WantedKey {
  return { endpoint, source, obtain: async () => source }
}

function requireKey(text: string): string {
  const key = text.trim()
  if (!isWholeKey(key)) throw new Refusal('that is not a whole key: a key begins with svc_ and has 40 characters')
  return key
}

/** Longer than the longest key with a line end; more is not read. */
const MAX_INPUT_BYTES = 256

async function readInput({ input }: Cli): Promise<string> {
  let text = ''
  for await (const piece of input()) {
    text += new TextDecoder().decode(piece)
    if (text.length > MAX_INPUT_BYTES) break
  }
  return text
}

const TIMEOUT_MS = 5_000

/** What the service says to the key that the client was given, in a sentence. */
export type Checked = {
  isAccepted: boolean
  isRejected: boolean
  project?: Pick<KeyInfo, 'project' | 'project_id'>
  text: string
}

export async function checkService(credentials: Credentials): Promise<Checked> {
  try {
    const info = await askService(credentials)
    return {
      isAccepted: true,
      isRejected: false,
      project: info,
      text: `The service answers: project '${info.project}'.`,
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return { isAccepted: false, isRejected: error.code === 'key_rejected', text: `Not yet: ${error.message}` }
  }
}

function askService({ endpoint, source }: Credentials): Promise<KeyInfo> {
  return createServiceClient({ SVC_API_KEY: source.key, SVC_ENDPOINT: endpoint }).readKeyInfo(TIMEOUT_MS)
}
