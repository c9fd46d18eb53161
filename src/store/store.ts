import type { Control } from './control.ts'
import type { ProjectStore } from './project.ts'

/** The one place that keeps data; `sqlite/` implements it. It has verbs and no rules. */
export type Store = {
  control: Control
  /** The only way to a project's records. Opened by its first verb; that fails where the project's file is missing or damaged. */
  project: (id: string) => ProjectStore
  /** Removes the file of a project that the control file no longer names. */
  eraseProject: (id: string) => Promise<void>
  /** Fails unless data can be read and written. */
  check: () => Promise<void>
  /** Puts in order what writes have left behind, in projects that are open; other writes are served in between. Worth doing now and then. */
  tidy: () => Promise<void>
  close: () => Promise<void>
}
