import { readMigrations } from './migrations.macro.ts' with { type: 'macro' }
import type { Migration } from './migrations.macro.ts'

/** Every migration of the control file and of a project's file, in order. */
export const migrations: { control: Migration[]; project: Migration[] } = {
  control: readMigrations('control'),
  project: readMigrations('project'),
}
