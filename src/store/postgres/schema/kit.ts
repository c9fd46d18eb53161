import {
  type AnyPgColumn,
  bigint,
  bigserial,
  boolean,
  index,
  integer,
  pgTable,
  primaryKey,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import type { DataKit, Kit } from '../../sqlite/schema/kit.ts'
import { bytes, exactText, json, time } from './types.ts'

const KIT = {
  table: pgTable,
  index,
  uniqueIndex,
  primaryKey,
  text: exactText,
  integer: () => integer(),
  long: time,
  flag: () => boolean(),
  json,
  serial: () => bigserial({ mode: 'number' }).primaryKey(),
  madeFiles: () => ({}),
  wholeRow: (name: string, _columns: unknown, ...first: AnyPgColumn[]) =>
    first.map((column) => index(`${name}_by_${column.name}`).on(column)),
}

/** What the tables of control data are made of. */
export const POSTGRES_KIT = KIT as unknown as Kit

type Own = { projectId: AnyPgColumn }

/**
 * What the tables of projects' data are made of. Every one leads with `project_id` and has it in every key and index, so
 * that it can be partitioned or distributed by it, and a policy of row-level security shows a connection the rows of one
 * project only. A project's number is in `project_numbers`: its id would take 33 bytes more in each row and each index.
 */
export const POSTGRES_DATA_KIT = {
  ...KIT,
  ofProject: () => ({ projectId: integer().notNull() }),
  lead: ({ projectId }: Own) => [projectId],
  key: ({ projectId }: Own, ...columns: AnyPgColumn[]) => [primaryKey({ columns: [projectId, ...columns] })],
  textKey: () => exactText().notNull(),
  integerKey: () => integer().notNull(),
  longKey: () => bigint({ mode: 'number' }).notNull(),
  /** Given by a row that the write has locked. */
  serial: () => integer().notNull(),
  bytes,
  hash: exactText,
} as unknown as DataKit
