import { constants } from 'node:fs'
import { access, stat } from 'node:fs/promises'
import type { Machine } from '../clients/machine.ts'
import { type Environment, readStateDir } from '../config.ts'
import { type Check, checksOf } from './check.ts'
import { checkConnection } from './connection.ts'
import { checkHistories } from './histories.ts'
import { checkHooks } from './hooks.ts'
import { checkRegistrations } from './registrations.ts'
import { checkSharedFiles } from './shared-file.ts'

/** The checks of a person's machine; the service is called as `called` says. `now` returns milliseconds since 1970. */
export async function checkThisMachine(machine: Machine, called: Environment, now: () => number): Promise<Check[]> {
  const { environment } = machine
  const connection = await checkConnection(called, now)
  const histories = await checkHistories(machine, now)
  const clients = [...(await checkRegistrations(machine)), ...(await checkHooks(machine))]
  const shared = await checkSharedFiles(environment.PWD || process.cwd())
  return [...connection, await checkStateFolder(environment), ...histories, ...clients, ...shared]
}

/** Permission bits of users other than the owner. */
const OTHERS = 0o077

const { ok, warning } = checksOf('client')

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
