import { type Actor, requireOperatorOrFirstOwner } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { StorageRefusal } from '../errors.ts'
import { toStorageFault } from '../log.ts'
import type { StoreHealth } from '../store/store.ts'
import { findLastBackup } from './back-up-in-folder.ts'
import type { ListedBackup } from './backup-names.ts'
import { findLastCheck } from './check-data.ts'

/**
 * State of the whole service. `health` has the reason if nothing can be read or written. Days are those of the
 * settings.
 */
export type ServiceState = {
  health: StoreHealth | { reason: string }
  /** Whether the data is in a database, which others back up and check: no last backup and check are known then. */
  isDatabase: boolean
  /** The newest complete backup in the configured folder. */
  lastBackup: ListedBackup | undefined
  /** When all files were last checked for damage. */
  lastCheck: { at: number; faults: number } | undefined
  trashDays: number
  auditDays: number
  historyDays: number
}

/**
 * Reads the state of the service.
 *
 * @throws Refusal for everybody but the operator and owners of the first account.
 */
export async function readServiceState(ctx: AppContext, actor: Actor): Promise<ServiceState> {
  await requireOperatorOrFirstOwner(ctx.store.control, actor)
  const { databaseUrl, trashDays, auditDays, historyDays } = ctx.config
  return {
    health: await checkHealth(ctx),
    isDatabase: databaseUrl !== undefined,
    lastBackup: findLastBackup(ctx),
    lastCheck: await findLastCheck(ctx),
    trashDays,
    auditDays,
    historyDays,
  }
}

async function checkHealth({ store, log }: AppContext): Promise<ServiceState['health']> {
  try {
    return await store.check()
  } catch (error) {
    log('not ready', { error: toStorageFault(error) })
    return { reason: error instanceof StorageRefusal ? error.reason : 'the store does not answer' }
  }
}
