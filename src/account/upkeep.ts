import { purgeAudit } from './audit.ts'
import { BROWSER_LIFETIME_MS } from './known-browser.ts'
import type { Means } from './means.ts'
import { writeUses } from './uses.ts'

const EVERY = 60_000

/**
 * Once a minute writes when keys were used, erases what the audit log need not keep and sessions that have ended, and has the store put
 * itself in order. Returns what ends it. Failures are logged.
 */
export function startUpkeep(means: Pick<Means, 'store' | 'clock' | 'config' | 'keyUses' | 'connectionUses' | 'log'>): () => void {
  let isUnderWay = false
  const timer = setInterval(async () => {
    if (isUnderWay) return
    isUnderWay = true
    await upkeep(means).catch((error) => means.log('upkeep failed', { error: String(error) }))
    isUnderWay = false
  }, EVERY)
  timer.unref()
  return () => clearInterval(timer)
}

async function upkeep(means: Pick<Means, 'store' | 'clock' | 'config' | 'keyUses' | 'connectionUses' | 'log'>): Promise<void> {
  await writeUses(means)
  await purgeAudit(means)
  await means.store.control.write((tx) => tx.purgeSessions(means.clock.now()))
  await means.store.control.write((tx) => tx.purgeBrowsers(means.clock.now() - BROWSER_LIFETIME_MS))
  await tidy(means)
}

/** Has the store put itself in order. Where it cannot, because the disk is full or another process holds a file, nothing is lost but speed. */
export async function tidy({ store, log }: Pick<Means, 'store' | 'log'>): Promise<void> {
  await store.tidy().catch((error) => log('the store was not put in order', { error: String(error) }))
}
