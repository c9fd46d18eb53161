import type { Visible } from './record.ts'

/** A named area of a project. Its name is unique among the workspaces of the project that are not removed. */
export type Workspace = { id: number; name: string; createdAt: number; removedAt: number | null }

/** A workspace with the number of its visible records that are not forgotten. */
export type SeenWorkspace = Workspace & { records: number }

/** A page of a list in order of name: at most `limit` entries, of names after `after`. */
type NamePage = { after?: string | undefined; limit: number }

export type WorkspaceReads = {
  /**
   * A workspace that is not removed; with audiences, only one that ever had a record of any of these, forgotten or not.
   * The engine may answer from memory, never with what was true before the last commit.
   */
  findWorkspace: (name: string, writtenFor?: Visible) => Promise<Workspace | undefined>
  /** The oldest of the workspaces that `findWorkspace` finds by a name that differs from this one at most in case. */
  findWorkspaceInAnyCase: (name: string, writtenFor: Visible) => Promise<Workspace | undefined>
  /** Those of the ids that are known, removed ones too, in no particular order: one read, however many ids. */
  findWorkspacesById: (ids: number[]) => Promise<Workspace[]>
  /**
   * Workspaces that are not removed and that ever had a record of a visible audience, forgotten or not; by name in
   * order of code points. Time is linear in `limit`, whatever the number of workspaces.
   */
  listWorkspaces: (visible: Visible, page: NamePage) => Promise<SeenWorkspace[]>
  /** How many workspaces are not removed, visible or not. */
  countWorkspaces: () => Promise<number>
  /**
   * Removed workspaces that are not erased, of this name if one is given; at most `limit` in order of id, after
   * `afterId`.
   */
  listRemovedWorkspaces: (page: {
    name?: string | undefined
    afterId?: number | undefined
    limit: number
  }) => Promise<Workspace[]>
}

export type WorkspaceWrites = {
  /** Fails if a workspace that is not removed has this name. */
  insertWorkspace: (name: string, createdAt: number) => Promise<Workspace>
  /**
   * Gives a workspace another name, which fails if one that is not removed has it; or removes it, which frees its name
   * and takes it out of every audience's list. Does not change its records.
   */
  updateWorkspace: (id: number, change: { name: string } | { removedAt: number }) => Promise<void>
  /**
   * Erases at most `limit` of what is stored for a workspace's sources: their hashes, and that they were imported.
   * Returns how many.
   */
  eraseSources: (of: { workspaceId: number; sourceId?: string | undefined }, limit: number) => Promise<number>
  /**
   * Erases a workspace that has no records, forgotten ones included, with the hashes of its sources. Returns false if
   * it has some.
   */
  eraseWorkspace: (id: number) => Promise<boolean>
}
