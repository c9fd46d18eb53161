import { readMigrations } from '../migrations.macro.ts' with { type: 'macro' }
import type { Migration } from '../migrations.macro.ts'

/** Every migration of the database, in order. */
export const migrations: Migration[] = readMigrations('postgres')
