import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { recordEventAlone } from '../account/audit/audit.ts'
import { type Actor, requireOperatorOrFirstOwner } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { readKeyFile, toKeyText } from '../gateway/keyring.ts'
import { seal } from '../secrets/sealed.ts'
import type { Project } from '../store/account.ts'
import type { Backup, BackupRequest, BackupWatch, KeyForBackup } from '../store/backup.ts'
import { VERSION } from '../version.ts'
import { toBackupName } from './backup-names.ts'

/** Writes a backup, in this thread or in another. */
export type WriteBackup = (request: BackupRequest, watch: BackupWatch) => Promise<Backup>

/** `to` is a folder, or the path of a new file. Without `project`, everything is backed up. */
type BackupInput = { to: string; project?: Project; passphrase?: string }

/**
 * Makes a backup of everything, or of one project. It contains the key of stored credentials only encrypted with a
 * passphrase.
 *
 * @throws Refusal for everybody but the operator and owners of the first account, and if the backup cannot be written.
 */
export async function makeBackup(
  ctx: AppContext,
  actor: Actor,
  { to, project, passphrase }: BackupInput,
  write: WriteBackup,
  watch: BackupWatch,
): Promise<Backup> {
  await requireOperatorOrFirstOwner(ctx.store.control, actor)
  const now = ctx.clock.now()
  const path = (isComplete: boolean) =>
    isFolder(to) ? join(to, toBackupName({ now, isComplete, projectId: project?.id })) : to
  const request = {
    target: path(true),
    incompleteTarget: path(false),
    key: await sealKey(ctx, passphrase),
    version: VERSION,
    now,
    ...(project !== undefined && { projectId: project.id }),
  }
  const backup = await write(request, watch)
  const { incomplete, secret_key } = backup.manifest
  await recordEventAlone(ctx, actor, {
    act: 'backup.make',
    ...(actor.kind === 'member' && { accountId: actor.account.id }),
    ...(project !== undefined && { accountId: project.accountId, projectId: project.id }),
    outcome: incomplete.length === 0 ? 'done' : 'failed',
    details: { bytes: backup.bytes, incomplete: incomplete.length, secret_key },
  })
  return backup
}

/** Whether a backup with this target gets a name of its own: in an existing folder, or in one that is named as such. */
export const isFolder = (path: string) => path.endsWith('/') || (existsSync(path) && statSync(path).isDirectory())

/**
 * The key of credentials as it goes into the backup. If all keys come from the environment, there is none to back up.
 */
async function sealKey(ctx: AppContext, passphrase: string | undefined): Promise<KeyForBackup> {
  const keys = readKeyFile(ctx)
  if (keys.length === 0) return { secret_key: 'none' }
  if (passphrase === undefined) return { secret_key: 'left out' }
  return { secret_key: 'encrypted', sealed: await seal(new TextEncoder().encode(toKeyText(keys)), passphrase) }
}
