import { eq, lt, sql } from 'drizzle-orm'
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite'
import type { BrowserReads, BrowserWrites } from '../../browser.ts'
import { browsers } from '../schema/browser.ts'

export function createBrowserReads(db: BunSQLiteDatabase): BrowserReads {
  return {
    findBrowserMember: async (digest) => db.select().from(browsers).where(eq(browsers.digest, digest)).get()?.memberId,
  }
}

export function createBrowserWrites(db: BunSQLiteDatabase): BrowserWrites {
  return {
    saveBrowser: async ({ digest, memberId, usedAt }, most) => {
      db.insert(browsers).values({ digest, memberId, usedAt }).onConflictDoUpdate({ target: browsers.digest, set: { usedAt } }).run()
      const kept = sql`select digest from ${browsers} where member_id = ${memberId} order by used_at desc, rowid desc limit ${most}`
      db.delete(browsers).where(sql`member_id = ${memberId} and digest not in (${kept})`).run()
    },
    deleteBrowsers: async (memberId) => void db.delete(browsers).where(eq(browsers.memberId, memberId)).run(),
    purgeBrowsers: async (before) => void db.delete(browsers).where(lt(browsers.usedAt, before)).run(),
  }
}
