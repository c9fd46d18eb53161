import { resolve } from 'node:path'
import type { Client, Machine } from '../../agent/clients/client.ts'
import type { Credentials, KeySource } from '../../agent/clients/credentials.ts'
import { readRegistration } from '../../agent/clients/read-registration.ts'
import { DEFAULT_ENDPOINT, readEndpoint, readKey } from '../../agent/config.ts'
import { Refusal } from '../../errors.ts'
import { isWholeKey } from '../../secrets/key.ts'
import type { Cli } from '../cli.ts'
import { isRejected } from './check-service.ts'

export type KeyOptions = { keyStdin?: true; project?: string; member?: string; dryRun?: true }

/** Credentials as they can be shown, and a function that obtains the key itself once the person has agreed. */
export type WantedKey = Credentials & { obtain: () => Promise<KeySource> }

type Present = { key: string; endpoint: string | undefined }

/** Placeholder for a key that is not issued yet. */
const NEW_KEY = 'svc_<new key>'

/**
 * The key for a client: from the environment, standard input, the client's present settings, a service on this machine, or the person.
 *
 * @throws ServiceError for a key or an endpoint in the environment that cannot be one, Refusal if there is no key.
 */
export async function findKey(cli: Cli, client: Client, machine: Machine, options: KeyOptions): Promise<WantedKey> {
  const given = await findGivenKey(cli, options)
  if (given !== undefined) return toWanted(cli, given)
  const present = await findPresentKey(client, machine)
  const wanted = present && toPresent(cli, present)
  if (wanted !== undefined && !(await isRejected(wanted))) return wanted
  const local = await (await import('./issue-key.ts')).findLocalService(cli, client, options)
  if (local !== undefined) return { endpoint: toTold(cli, local.baseUrl), source: { kind: 'settings', key: NEW_KEY }, obtain: local.issue }
  return askForKey(cli, options)
}

async function findGivenKey(cli: Cli, { keyStdin }: KeyOptions): Promise<KeySource | undefined> {
  const { SVC_API_KEY, SVC_API_KEY_FILE } = cli.environment
  if (keyStdin) return { kind: 'settings', key: requireKey(await readInput(cli)) }
  if (SVC_API_KEY) return { kind: 'variable', key: await readKey(cli.environment) }
  if (SVC_API_KEY_FILE) return { kind: 'file', path: resolve(SVC_API_KEY_FILE), key: await readKey(cli.environment) }
  return undefined
}

/** The key in the client's present settings and its service, so that connecting it again needs no new key. */
async function findPresentKey(client: Client, machine: Machine): Promise<Present | undefined> {
  // Settings that cannot be parsed are refused later, before they would be changed.
  const { key, endpoint } = (await readRegistration(client, machine).catch(() => undefined)) ?? {}
  return key !== undefined && isWholeKey(key) ? { key, endpoint } : undefined
}

function toPresent(cli: Cli, { key, endpoint }: Present): WantedKey {
  const source: KeySource = { kind: 'settings', key }
  if (cli.environment.SVC_ENDPOINT || endpoint === undefined) return toWanted(cli, source)
  return { endpoint: readEndpoint({ SVC_ENDPOINT: endpoint }), source, obtain: async () => source }
}

async function askForKey(cli: Cli, { dryRun }: KeyOptions): Promise<WantedKey> {
  if (dryRun) return toWanted(cli, { kind: 'settings', key: NEW_KEY })
  if (cli.confirm === undefined || cli.ask === undefined)
    throw new Refusal('there is no key: set SVC_API_KEY, or give one on standard input with --key-stdin; the console issues them')
  return toWanted(cli, { kind: 'settings', key: requireKey(await cli.ask('Key (the console issues one): ')) })
}

function toWanted(cli: Cli, source: KeySource): WantedKey {
  return { endpoint: toTold(cli, readEndpoint(cli.environment)), source, obtain: async () => source }
}

/** The endpoint, unless it is the agent's default. */
function toTold(cli: Cli, baseUrl: string): string | undefined {
  return baseUrl === DEFAULT_ENDPOINT && !cli.environment.SVC_ENDPOINT ? undefined : baseUrl
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
