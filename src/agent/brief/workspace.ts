import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join, parse, resolve } from 'node:path'
import { isObject } from '../../jsonrpc.ts'
import { normalize } from '../../text/normalize.ts'
import { readStateDir } from '../config.ts'
import { readState, writeState } from '../state-file.ts'
import { findRepository, nameOf } from './repository.ts'

type Environment = Record<string, string | undefined>

/** The workspace of records that belong to no folder. */
export const DEFAULT_WORKSPACE = 'default'

/** A folder whose workspace was decided. `identity` and `remote` are two signs of it, either of which may change. */
type Known = { workspace: string; identity: string; remote?: string }

const MAX_KNOWN = 1_000
const MAX_NAME_LENGTH = 64

/**
 * The workspace that stands for a folder: the one decided earlier for this repository or folder, else the last part of its git remote, else the folder's name. What is
 * decided is kept, so that renaming the folder or the remote, and work trees, change nothing. The home folder and the root of a disk have none of their own.
 */
export async function findWorkspace(environment: Environment, dir: string): Promise<string> {
  const signs = await readSigns(environment, dir)
  if (signs === undefined) return DEFAULT_WORKSPACE
  const known = await readKnown(environment)
  const found = known.find(({ identity }) => identity === signs.identity) ?? known.find(({ remote }) => remote && remote === signs.remote)
  const workspace = found?.workspace ?? toWorkspaceName(signs.name)
  if (found === undefined || found.identity !== signs.identity || found.remote !== signs.remote)
    await keep(environment, known, signs, workspace)
  return workspace
}

/** Decides the workspace of a folder, from now on. */
export async function setWorkspace(environment: Environment, dir: string, workspace: string): Promise<void> {
  const signs = await readSigns(environment, dir)
  if (signs !== undefined) await keep(environment, await readKnown(environment), signs, workspace)
}

type Signs = { name: string; identity: string; remote: string | undefined }

async function readSigns({ HOME }: Environment, dir: string): Promise<Signs | undefined> {
  const repository = await findRepository(dir)
  const folder = repository?.folder ?? resolve(dir)
  if (folder === (HOME || homedir()) || folder === parse(folder).root) return undefined
  const found = await stat(folder, { bigint: true }).catch(() => undefined)
  if (found === undefined) return undefined
  const remote = repository?.remote === undefined ? undefined : normalizeRemote(repository.remote)
  const name = remote?.split('/').at(-1) ?? (repository === undefined ? basename(folder) : nameOf(repository))
  // The time at which a folder was made tells it from one that got the number of a folder that is gone.
  return { name, identity: `${found.ino}:${found.birthtimeNs}`, remote }
}

/** The same for every way to write the address of one repository: `example.org/team/app`. */
function normalizeRemote(url: string): string {
  const address = url.replace(/^[a-z+]+:\/\//i, '').replace(/^[^@/]*@/, '')
  const path = address.replace(/^([^/:]+):(?:\d+\/)?/, '$1/').replace(/(\.git)?\/*$/, '')
  const [host = '', ...rest] = path.split(/[/\\]+/)
  return [host.toLowerCase(), ...rest].join('/')
}

/** A name as the service takes it: letters, digits, `.`, `_` and `-`. */
function toWorkspaceName(text: string): string {
  const name = normalize(text, 'NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .replace(/^-+|-+$/g, '')
  return name.slice(0, MAX_NAME_LENGTH) || DEFAULT_WORKSPACE
}

const fileOf = (environment: Environment) => join(readStateDir(environment), 'workspaces.json')

async function readKnown(environment: Environment): Promise<Known[]> {
  const value = await readState(fileOf(environment))
  return Array.isArray(value) ? value.filter(isKnown) : []
}

function isKnown(value: unknown): value is Known {
  return isObject(value) && typeof value.workspace === 'string' && typeof value.identity === 'string'
}

async function keep(environment: Environment, known: Known[], { identity, remote }: Signs, workspace: string): Promise<void> {
  const others = known.filter((one) => one.identity !== identity).slice(-MAX_KNOWN + 1)
  await writeState(fileOf(environment), [...others, { workspace, identity, ...(remote !== undefined && { remote }) }])
}
