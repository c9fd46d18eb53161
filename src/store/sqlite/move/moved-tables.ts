import { toMovedTables } from '../../shared/move.ts'
import { CONTROL_TABLES } from '../schema/control.ts'
import * as history from '../schema/history.ts'
import * as project from '../schema/project.ts'

export const SQLITE_MOVED = toMovedTables(CONTROL_TABLES, project, history)
