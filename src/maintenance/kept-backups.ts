import { recordEventAlone } from '../account/audit/audit.ts'
import { type MemberActor, requireOperatorOrFirstOwner } from '../account/auth/actor.ts'
import { Refusal, toErrorCode, toMessage } from '../errors.ts'
import { type BackupContext, type BackupPlan, findBackupPlan } from './back-up-in-folder.ts'
import { findBackup, type ListedBackup, listNewest } from './backup-names.ts'

/** Backups that are listed; older ones are in the folder. */
const MAX_LISTED = 200

/** The contents of the backup folder; `fault` is the system's error code if it cannot be read. */
export type KeptBackups = {
  folder: string
  backups: ListedBackup[]
  more: number
  fault?: string
  isUnderWay: boolean
  failure: string | undefined
}

/**
 * The contents of the configured backup folder, newest first; undefined if the settings name none.
 *
 * @throws Refusal for everybody but owners of the first account.
 */
export async function listKeptBackups(ctx: BackupContext, actor: MemberActor): Promise<KeptBackups | undefined> {
  await requireOperatorOrFirstOwner(ctx.store.control, actor)
  const folder = findChosenPlan(ctx)?.folder
  if (folder === undefined) return undefined
  const state = { folder, isUnderWay: ctx.backupRuns.isUnderWay(), failure: ctx.backupRuns.lastFailure() }
  try {
    return { ...state, ...listNewest(folder, MAX_LISTED) }
  } catch (error) {
    const code = toErrorCode(error)
    // The first backup makes the folder.
    return { ...state, backups: [], more: 0, ...(code !== 'ENOENT' && { fault: code }) }
  }
}

/**
 * Begins a backup of everything into the configured folder, unless one is in progress, and does not wait for it. A
 * failure is logged.
 *
 * @throws Refusal for everybody but owners of the first account, and if the service makes no backups.
 */
export async function beginBackup(ctx: BackupContext, actor: MemberActor): Promise<void> {
  await requireOperatorOrFirstOwner(ctx.store.control, actor)
  const plan = findChosenPlan(ctx)
  if (plan === undefined) throw new Refusal('this service makes no backups')
  if (ctx.backupRuns.isUnderWay()) return
  ctx.backupRuns.run(ctx, actor, plan).catch((error) => ctx.log('backup failed', { error: toMessage(error) }))
}

/**
 * The backup with this name, for a download, which is recorded in the audit log.
 *
 * @throws Refusal for everybody but owners of the first account, and if the backup folder has none with this name.
 */
export async function takeBackup(ctx: BackupContext, actor: MemberActor, name: string): Promise<ListedBackup> {
  await requireOperatorOrFirstOwner(ctx.store.control, actor)
  const plan = findChosenPlan(ctx)
  const backup = plan && findBackup(plan.folder, name)
  if (backup === undefined) throw new Refusal('there is no such backup')
  await recordEventAlone(ctx, actor, {
    act: 'backup.download',
    accountId: actor.account.id,
    target: backup.name,
    details: { bytes: backup.bytes },
  })
  return backup
}

/**
 * The plan, if the operator named a folder. Backups that are made without any setting are not handed out: owners of the
 * first account could read by them what all others keep, and nobody decided that they may.
 */
const findChosenPlan = ({ config }: BackupContext): BackupPlan | undefined =>
  config.backupDir === undefined ? undefined : findBackupPlan(config)
