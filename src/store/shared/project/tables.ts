import type * as project from '../../sqlite/schema/project.ts'
import type { Engine } from '../engine.ts'

/** Tables of a project whose statements are the same on both engines. */
export type ProjectTables = Pick<
  typeof project,
  | 'audienceStats'
  | 'importedSources'
  | 'languages'
  | 'questions'
  | 'recentStates'
  | 'records'
  | 'releases'
  | 'sources'
  | 'workspaceAudiences'
  | 'workspaces'
>
export type ProjectEngine = Engine<ProjectTables>
