import { purgeAudit } from './audit.ts'
import type { Means } from './means.ts'
import { writeUses } from './uses.ts'

const EVERY = 60_000

/**
 * Once a minute writes when keys were used, erases what the audit log need not keep and sessions that have ended, and has the store put
 * itself in order. Returns what ends it. Failures are logged.
 */
export function startUpkeep(means: Pick<Means, 'store' | 'clock' | 'config' | 'keyUses' | 'connectionUses' | 'log'>): () => void {
  const timer = setInterval(() => {
    upkeep(means).catch((error) => means.log('upkeep failed', { error: String(error) }))
  }, EVERY)
  timer.unref()
  return () => clearInterval(timer)
}

async function upkeep(means: Pick<Means, 'store' | 'clock' | 'config' | 'keyUses' | 'connectionUses'>): Promise<void> {
  await writeUses(means)
  await purgeAudit(means)
  await means.store.control.write((tx) => tx.purgeSessions(means.clock.now()))
  await means.store.tidy()
}
