import { purgeAudit } from './audit/audit.ts'
import { BROWSER_LIFETIME_MS } from './auth/known-browser.ts'
import type { AppContext } from './context.ts'
import { writeUses } from './keys/uses.ts'

const UPKEEP_INTERVAL_MS = 60_000

/**
 * Once a minute writes when keys were used, erases what the audit log need not keep and sessions that have ended, and has the store put
 * itself in order. Returns what ends it. Failures are logged.
 */
export function startUpkeep(ctx: AppContext): () => void {
  let isUnderWay = false
  const timer = setInterval(async () => {
    if (isUnderWay) return
    isUnderWay = true
    await upkeep(ctx).catch((error) => ctx.log('upkeep failed', { error: String(error) }))
    isUnderWay = false
  }, UPKEEP_INTERVAL_MS)
  timer.unref()
  return () => clearInterval(timer)
}

async function upkeep(ctx: AppContext): Promise<void> {
  await writeUses(ctx)
  await purgeAudit(ctx)
  await ctx.store.control.write((tx) => tx.purgeSessions(ctx.clock.now()))
  await ctx.store.control.write((tx) => tx.purgeBrowsers(ctx.clock.now() - BROWSER_LIFETIME_MS))
  await tidy(ctx)
}

/** Has the store put itself in order. Where it cannot, because the disk is full or another process holds a file, nothing is lost but speed. */
export async function tidy({ store, log }: AppContext): Promise<void> {
  await store.tidy().catch((error) => log('the store was not put in order', { error: String(error) }))
}
