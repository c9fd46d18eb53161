import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join, parse, resolve } from 'node:path'
import { Refusal } from '../../errors.ts'
import { isObject } from '../../jsonrpc.ts'
import { normalize } from '../../text/normalize.ts'
import { readStateDir } from '../config.ts'
import { readState, saveState, writeState } from '../state-file.ts'
import { findRepository, nameOf } from './repository.ts'

type Environment = Record<string, string | undefined>

/** The workspace for records that belong to no folder. */
export const DEFAULT_WORKSPACE = 'default'

/** A folder and its assigned workspace. It is recognized by `identity` or `remote`, since either may change. */
type Known = { workspace: string; identity: string; remote?: string }

const MAX_KNOWN = 1_000
const MAX_NAME_LENGTH = 64

/**
 * The workspace of a folder: the one assigned earlier to its repository or folder, otherwise the last part of its git remote, otherwise the folder's name.
 * The assignment is stored, so that renaming the folder or the remote, and other work trees, do not change it. The home folder and the root of a disk use
 * `default`.
 */
export async function findWorkspace(environment: Environment, dir: string): Promise<string> {
  const signs = await readSigns(environment, dir)
  if (signs === undefined) return DEFAULT_WORKSPACE
  const known = await readKnown(environment)
  const found = known.find(({ identity }) => identity === signs.identity) ?? known.find(({ remote }) => remote && remote === signs.remote)
  const workspace = found?.workspace ?? toWorkspaceName(signs.name)
  if (found === undefined || found.identity !== signs.identity || found.remote !== signs.remote)
    await writeState(fileOf(environment), withKnown(known, signs, workspace))
  return workspace
}

/**
 * Assigns a workspace to a folder.
 *
 * @throws Refusal for the home folder and the root of a disk, which always use `default`, for a folder that does not exist, and if it cannot be stored.
 */
export async function setWorkspace(environment: Environment, dir: string, workspace: string): Promise<void> {
  const signs = await readSigns(environment, dir)
  if (signs === undefined) throw new Refusal(`'${resolve(dir)}' can have no workspace of its own; name the folder of a project`)
  await saveState(fileOf(environment), withKnown(await readKnown(environment), signs, workspace))
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
  // Inode numbers are reused; the creation time tells such folders apart.
  return { name, identity: `${found.ino}:${found.birthtimeNs}`, remote }
}

/** Normalizes the forms of a repository's URL to one: `example.org/team/app`. */
function normalizeRemote(url: string): string {
  const address = url.replace(/^[a-z+]+:\/\//i, '').replace(/^[^@/]*@/, '')
  const path = address.replace(/^([^/:]+):(?:\d+\/)?/, '$1/').replace(/(\.git)?\/*$/, '')
  const [host = '', ...rest] = path.split(/[/\\]+/)
  return [host.toLowerCase(), ...rest].join('/')
}

/** Converts a name to one that the service accepts: letters, digits, `.`, `_` and `-`. */
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

/** The latest assignments, with another one. */
function withKnown(known: Known[], { identity, remote }: Signs, workspace: string): Known[] {
  const others = known.filter((one) => one.identity !== identity).slice(-MAX_KNOWN + 1)
  return [...others, { workspace, identity, ...(remote !== undefined && { remote }) }]
}
