import type { importedSources, releases } from '../../sqlite/schema/project.ts'
import type { Engine } from '../engine.ts'

/** Tables of a project whose statements are the same on both engines. */
export type ProjectTables = { releases: typeof releases; importedSources: typeof importedSources }
export type ProjectEngine = Engine<ProjectTables>
