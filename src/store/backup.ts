import { type Static, Type } from 'typebox'

const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' })
const Count = Type.Integer({ minimum: 0 })

/** One file of an archive. */
const ArchivedFile = Type.Object({
  name: Type.String(),
  bytes: Count,
  sha256: Sha256,
  /** The id of the project whose file it is. */
  project: Type.Optional(Type.String()),
  /** Number of records that are not forgotten, if it is the file of a project's records. */
  records: Type.Optional(Count),
})

/** What is incomplete in a backup, and why; without a project it is the control file. */
const Incomplete = Type.Object({ project: Type.Optional(Type.String()), reason: Type.String() })

/** Contents and origin of a backup: the last entry of its archive. Times are ISO 8601. */
export const Manifest = Type.Object({
  format: Type.Literal('memsvc-backup-1'),
  /** The version that made it. */
  memsvc: Type.String(),
  sqlite: Type.String(),
  made_at: Type.String(),
  /** Of everything, or of one project alone. */
  of: Type.Union([Type.Literal('everything'), Type.Literal('project')]),
  /** The newest migration of each schema. */
  schemas: Type.Record(Type.String(), Type.String()),
  counts: Type.Object({ accounts: Count, members: Count, projects: Count, keys: Count, records: Count }),
  /**
   * The key of stored credentials: encrypted in the archive, left out because there was no passphrase, or not in the
   * data folder.
   */
  secret_key: Type.Union([Type.Literal('encrypted'), Type.Literal('left out'), Type.Literal('none')]),
  projects: Type.Array(Type.Object({ id: Type.String(), account: Type.String(), name: Type.String() })),
  files: Type.Array(ArchivedFile),
  incomplete: Type.Array(Incomplete),
})
export type Manifest = Static<typeof Manifest>
export type ArchivedFile = Static<typeof ArchivedFile>

/** The folder of a data folder for backups, which are no part of the data. */
export const BACKUPS_FOLDER = 'backups'

/** How the key of stored credentials is backed up; `sealed` is its encrypted text. */
export type KeyForBackup = { secret_key: Manifest['secret_key']; sealed?: string }

/**
 * A backup of everything, or of one project. `target` is the path of the archive, which must not exist;
 * `incompleteTarget` is used instead if the backup is incomplete.
 */
export type BackupRequest = {
  target: string
  incompleteTarget: string
  key: KeyForBackup
  version: string
  now: number
  projectId?: string
}

/** How the caller of a backup stops it and follows its progress. */
export type BackupWatch = { isStopped: () => boolean; onProgress: (done: number, all: number) => void }

/** A backup that was made. */
export type Backup = { path: string; bytes: number; manifest: Manifest }

/** One project of a backup, to be restored as another one or in place, at the time `now`. */
export type ProjectFromBackup = {
  archive: string
  from: string
  to: { projectId: string; accountId: string }
  now: number
}

/**
 * What was restored of a project in place, whether the rest of it stays because it was whole, and the folder with what
 * was replaced, if anything was.
 */
export type ReplacedFiles = { records: boolean; histories: boolean; isPart: boolean; aside: string | null }
