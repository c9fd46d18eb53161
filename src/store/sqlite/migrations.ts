import { readMigrations } from '../migrations.macro.ts' with { type: 'macro' }
import type { Migration, MigrationKind } from '../migrations.macro.ts'

/** Every migration of each kind of file, in order. */
export const migrations: Record<MigrationKind, Migration[]> = {
  control: readMigrations('control'),
  project: readMigrations('project'),
  history: readMigrations('history'),
}
