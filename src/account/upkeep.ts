import { purgeAudit } from './audit.ts'
import { writeKeyUses } from './key-uses.ts'
import type { Means } from './means.ts'

const EVERY = 60_000

/** Once a minute writes when keys were used and erases what the audit log need not keep. Returns what ends it. Failures are logged. */
export function startUpkeep(means: Pick<Means, 'store' | 'clock' | 'config' | 'keyUses' | 'log'>): () => void {
  const timer = setInterval(() => {
    upkeep(means).catch((error) => means.log('upkeep failed', { error: String(error) }))
  }, EVERY)
  timer.unref()
  return () => clearInterval(timer)
}

async function upkeep(means: Pick<Means, 'store' | 'clock' | 'config' | 'keyUses'>): Promise<void> {
  await writeKeyUses(means)
  await purgeAudit(means)
}
