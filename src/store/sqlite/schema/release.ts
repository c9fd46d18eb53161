import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/** Texts that the guard rejects and people decided about, or are asked to. Times are milliseconds since 1970. */
export const releases = sqliteTable(
  'releases',
  {
    /** SHA-256 of the text, in hexadecimal. */
    hash: text().primaryKey(),
    state: text({ enum: ['asked', 'allowed', 'declined'] }).notNull(),
    text: text(),
    /** What the guard said of it. */
    reason: text(),
    why: text(),
    /** As the audit log calls them. */
    askedBy: text(),
    askedAt: integer(),
    decidedBy: text(),
    decidedAt: integer(),
  },
  (table) => [index('releases_by_state').on(table.state, table.askedBy)],
)
