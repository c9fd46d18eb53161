import type { HistoryEngine } from '../../shared/history/tables.ts'
import { toMovedTables } from '../../shared/move.ts'
import type { ProjectTables } from '../../shared/project/sql.ts'
import { CONTROL_TABLES } from '../schema/control.ts'
import * as history from '../schema/history.ts'
import * as project from '../schema/project.ts'

export const POSTGRES_MOVED = toMovedTables(
  CONTROL_TABLES,
  project as unknown as ProjectTables,
  history as unknown as HistoryEngine['tables'],
)
