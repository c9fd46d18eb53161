import { integer, pgTable, primaryKey } from 'drizzle-orm/pg-core'
import { exactText, time } from './kit.ts'

// The calls and attempts of the last 60 seconds, of all instances. Functions of the migrations read and write them:
// `take_places` and `sweep_windows`.

/** How many places are taken, and when the last one was. */
export const windows = pgTable('windows', {
  id: exactText().primaryKey(),
  taken: integer().notNull().default(0),
  takenAt: time().notNull().default(0),
})

/** The places of a window that were taken within one millisecond. */
export const windowPlaces = pgTable(
  'window_places',
  { windowId: exactText().notNull(), takenAt: time().notNull(), places: integer().notNull() },
  (table) => [primaryKey({ columns: [table.windowId, table.takenAt] })],
)

/** What each instance was answered last, and the number of its question. */
export const windowAnswers = pgTable('window_answers', {
  instance: exactText().primaryKey(),
  number: time().notNull(),
  answers: exactText(),
  answeredAt: time().notNull(),
})
