import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Refusal, StorageRefusal } from '../../../errors.ts'
import type { Backup, BackupRequest, BackupWatch, Manifest } from '../../backup.ts'
import { Connection } from '../connection.ts'
import { toWriteError } from '../errors.ts'
import { migrations } from '../migrations.ts'
import { createArchive, syncFile } from './archive.ts'
import { deleteLeftovers } from './leftovers.ts'
import { MANIFEST_ENTRY, type Packing, packKey, packProjects } from './pack.ts'
import { readBackup } from './read-backup.ts'

/** Suffix of the working folder of a backup, by which the leftovers of a killed process are recognized. */
const WORK_ENDING = '.memsvc-part'
const WORK_FOLDER = /\.memsvc-part$/

/**
 * Writes a backup of a data folder, also beside a running service, and verifies it by reading it again before it gets
 * its name. It contains every change that was acknowledged before it began: first the control file is copied, then each
 * project. A project that cannot be copied completely is named in the manifest.
 *
 * Needs disk space for the archive and for copies of the control file and the largest project. Leaves nothing behind if
 * it fails.
 *
 * @throws Refusal if the target exists or cannot be written, and once `isStopped` returns true; DataError if the
 *   control file cannot be read.
 */
export async function writeBackup(folder: string, request: BackupRequest, watch: BackupWatch): Promise<Backup> {
  const { target, incompleteTarget } = request
  requireFree(target)
  const work = join(dirname(target), `.${basename(target)}.${randomUUID()}${WORK_ENDING}`)
  try {
    await deleteLeftovers(dirname(target), WORK_FOLDER, request.now)
    await mkdir(work, { mode: 0o700 })
    const archive = join(work, 'archive')
    const manifest = await fillArchive(archive, { folder, work, request, watch })
    await readBackup(archive)
    if (watch.isStopped()) throw new Refusal('interrupted')
    const path = manifest.incomplete.length === 0 ? target : incompleteTarget
    requireFree(path)
    await rename(archive, path)
    await syncFile(dirname(path))
    return { path, bytes: (await stat(path)).size, manifest }
  } catch (error) {
    throw toRefusal(error, work, target)
  } finally {
    // Why it failed is told, also where nothing can be removed; a later backup removes what is left.
    await rm(work, { recursive: true, force: true }).catch(() => {})
  }
}

function requireFree(target: string): void {
  if (existsSync(target)) throw new Refusal(`'${target}' exists already`)
}

async function fillArchive(
  path: string,
  job: Pick<Packing, 'folder' | 'work' | 'request' | 'watch'>,
): Promise<Manifest> {
  const archive = createArchive(path)
  const packing: Packing = { ...job, archive, files: [], incomplete: [] }
  try {
    const control = await packProjects(packing)
    if (job.watch.isStopped()) throw new Refusal('interrupted')
    await packKey(packing)
    const manifest = toManifest(packing, control)
    await archive.addText(MANIFEST_ENTRY, JSON.stringify(manifest))
    await archive.finish()
    return manifest
  } catch (error) {
    await archive.abort()
    throw error
  }
}

function toRefusal(error: unknown, work: string, target: string): unknown {
  const failure = toWriteError(error, join(work, 'copy'))
  if (failure instanceof StorageRefusal) return new Refusal(`cannot write '${target}': ${failure.reason}`)
  if (failure instanceof Error && 'syscall' in failure)
    return new Refusal(`cannot write '${target}': ${failure.message}`)
  return failure
}

/** `control` is the path of the copied control file. */
function toManifest({ request, files, incomplete }: Packing, control: string): Manifest {
  const { key, version, now, projectId } = request
  const isWhole = projectId === undefined
  return {
    format: 'memsvc-backup-1',
    memsvc: version,
    made_at: new Date(now).toISOString(),
    of: isWhole ? 'everything' : 'project',
    schemas: Object.fromEntries(Object.entries(migrations).map(([kind, steps]) => [kind, steps.at(-1)?.name ?? ''])),
    secret_key: isWhole ? key.secret_key : 'none',
    ...readControl(
      control,
      projectId,
      files.reduce((sum, { records = 0 }) => sum + records, 0),
    ),
    files,
    incomplete,
  }
}

type Counts = Omit<Manifest['counts'], 'records'>

const COUNTS = `select (select count(*) from accounts) as accounts, (select count(*) from members where removed_at is null) as members,
  (select count(*) from projects where removed_at is null) as projects, (select count(*) from keys where revoked_at is null) as keys`

const PROJECTS = `select projects.id, accounts.name as account, projects.name from projects join accounts on accounts.id = account_id
  where projects.removed_at is null and (?1 is null or projects.id = ?1) order by projects.id`

function readControl(
  control: string,
  projectId: string | undefined,
  records: number,
): Pick<Manifest, 'sqlite' | 'counts' | 'projects'> {
  using connection = new Connection(control)
  const { sqlite } = connection.query<{ sqlite: string }, []>('select sqlite_version() as sqlite').get() ?? {
    sqlite: '',
  }
  const counts = connection.query<Counts, []>(COUNTS).get() ?? { accounts: 0, members: 0, projects: 0, keys: 0 }
  const projects = connection.query<Manifest['projects'][number], [string | null]>(PROJECTS).all(projectId ?? null)
  return { sqlite, counts: { ...counts, records }, projects }
}
