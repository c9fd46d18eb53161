import { getTableColumns } from 'drizzle-orm'
import { workspaces } from '../schema/project.ts'

const { projectId: _projectId, foldedName: _foldedName, ...columns } = getTableColumns(workspaces)

/** The columns of a workspace. */
export const WORKSPACE = columns
