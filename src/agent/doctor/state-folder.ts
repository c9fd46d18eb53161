import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { type Environment, readStateDir } from '../config.ts'
import { type Check, checksOf } from './check.ts'

/** Permission bits of users other than the owner. */
const OTHERS = 0o077

const { ok, warning } = checksOf('client')

/** Checks the folder of the agent's state: the last list of tools, workspaces of folders, and what sessions were told. */
export async function checkStateFolder(environment: Environment): Promise<Check> {
  const folder = readStateDir(environment)
  const found = await stat(folder).catch(() => undefined)
  if (found === undefined) return ok('state folder', `${folder} does not exist yet`)
  const isWritable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable)
    return warning('state folder', `${folder} cannot be written`, 'make it writable for its user, or name another one with SVC_STATE_DIR')
  if (process.platform !== 'win32' && (found.mode & OTHERS) !== 0)
    return warning('state folder', `others can read ${folder}`, `chmod 700 ${folder}`)
  return ok('state folder', folder)
}
