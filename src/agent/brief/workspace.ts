import { stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, parse, resolve } from 'node:path'
import { Refusal } from '../../errors.ts'
import { isObject } from '../../jsonrpc.ts'
import { type Environment, readStateDir } from '../config.ts'
import { readState, saveState, writeState } from '../state-file.ts'
import { findRepository } from './repository.ts'

/** Where the service saves what is saved without a workspace. */
export const DEFAULT_WORKSPACE = 'default'

/**
 * A folder and its workspace. It is recognized by `identity` or `remote`, since either may change. `isChosen` is absent
 * from the entries of earlier programs, which gave each folder the workspace of its name.
 */
type Known = { workspace: string; identity: string; remote?: string; isChosen?: boolean }

const MAX_KNOWN = 1_000

/**
 * The workspace that a person chose for a folder or, if a program gave it one, that one where it is active; undefined
 * otherwise, so that what is saved in several folders stays one memory. Renaming the folder or the remote, other clones
 * and work trees do not change it.
 */
export async function findWorkspace(
  environment: Environment,
  dir: string,
  isActive: (workspace: string) => Promise<boolean>,
): Promise<string | undefined> {
  const signs = await readSigns(environment, dir)
  const known = await readKnown(environment)
  const found =
    known.find(({ identity }) => identity === signs?.identity) ??
    known.find(({ remote }) => remote && remote === signs?.remote)
  if (signs === undefined || found === undefined) return undefined
  if (found.identity !== signs.identity || found.remote !== signs.remote)
    await writeState(fileOf(environment), withKnown(known, signs, found))
  return found.isChosen || (await isActive(found.workspace)) ? found.workspace : undefined
}

/**
 * Assigns a workspace to a folder.
 *
 * @throws Refusal for the home folder and the root of a disk, which always use `default`, for a folder that does not
 *   exist, and if it cannot be stored.
 */
export async function setWorkspace(environment: Environment, dir: string, workspace: string): Promise<void> {
  const signs = await readSigns(environment, dir)
  if (signs === undefined)
    throw new Refusal(`'${resolve(dir)}' can have no workspace of its own; name the folder of a project`)
  await saveState(fileOf(environment), withKnown(await readKnown(environment), signs, { workspace, isChosen: true }))
}

type Signs = { identity: string; remote: string | undefined }

async function readSigns({ HOME }: Environment, dir: string): Promise<Signs | undefined> {
  const repository = await findRepository(dir)
  const folder = repository?.folder ?? resolve(dir)
  if (folder === (HOME || homedir()) || folder === parse(folder).root) return undefined
  const found = await stat(folder, { bigint: true }).catch(() => undefined)
  if (found === undefined) return undefined
  const remote = repository?.remote === undefined ? undefined : normalizeRemote(repository.remote)
  // Inode numbers are reused; the creation time tells such folders apart.
  return { identity: `${found.ino}:${found.birthtimeNs}`, remote }
}

/** Normalizes the forms of a repository's URL to one: `example.org/team/app`. Time is linear in its length. */
function normalizeRemote(url: string): string {
  const address = url.replace(/^[a-z+]+:\/\//i, '').replace(/^[^@/]*@/, '')
  const [host = '', ...path] = address.replace(/^([^/:]+):(?:\d+\/)?/, '$1/').split(/[/\\]+/)
  if (path.at(-1) === '') path.pop()
  return [host.toLowerCase(), ...path].join('/').replace(/\.git$/, '')
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
function withKnown(
  known: Known[],
  { identity, remote }: Signs,
  { workspace, isChosen }: Pick<Known, 'workspace' | 'isChosen'>,
): Known[] {
  const others = known.filter((one) => one.identity !== identity).slice(-MAX_KNOWN + 1)
  return [...others, { workspace, identity, ...(remote !== undefined && { remote }), ...(isChosen && { isChosen }) }]
}
