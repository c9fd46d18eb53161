import { existsSync, readdirSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Refusal } from '../../../errors.ts'
import { ADDRESS_FILE } from '../../../serve-address.ts'
import { BACKUPS_FOLDER, type Manifest } from '../../backup.ts'
import {
  giveToOwner,
  hasData,
  makeFolder,
  SERVE_LOCK_FILE,
  takeServeLock,
  toControlPath,
  toProjectsFolder,
  toRestorePath,
} from '../data-folder.ts'
import { migrations } from '../migrations.ts'
import { syncFile } from './archive.ts'
import { CONTROL_ENTRY, KEY_ENTRY, MANIFEST_ENTRY } from './pack.ts'
import { readBackup } from './read-backup.ts'

export type OpenKey = (sealed: string) => Promise<() => Promise<void>>

/** What an empty folder may contain. */
const IGNORED = [SERVE_LOCK_FILE, ADDRESS_FILE, BACKUPS_FOLDER, 'lost+found']
/** The files that storing a key may leave. */
const KEY_FILES = ['secret.key', 'secret.key.lock']

/**
 * Restores a backup into an empty or new folder. Everything is compared with the manifest before any file is moved into
 * place, and the control file is moved last, so that an interrupted restore is not served; the same call again clears
 * away what it left. `openKey` gets the encrypted key of credentials, if the backup has one, and returns a function
 * that stores the key.
 *
 * @throws Refusal if the folder is not empty, a service uses it, or the backup is incomplete; then nothing is left in
 *   the folder.
 */
export async function restoreFolder(archive: string, folder: string, openKey: OpenKey): Promise<Manifest> {
  requireEmpty(folder)
  makeFolder(folder)
  const release = takeServeLock(folder)
  const work = toRestorePath(folder)
  try {
    if (isInterrupted(folder)) await clear(folder)
    requireEmpty(folder)
    await mkdir(work, { mode: 0o700 })
    const manifest = await unpack(archive, work, () => true)
    if (manifest.of !== 'everything') throw new Refusal(`'${archive}' is of one project; restore it with --as <name>`)
    const key = join(work, KEY_ENTRY)
    const placeKey = existsSync(key) ? await openKey(await readFile(key, 'utf8')) : async () => {}
    await place(work, folder, placeKey)
    await rm(work, { recursive: true, force: true })
    return manifest
  } catch (error) {
    if (isInterrupted(folder)) await clear(folder)
    throw error
  } finally {
    release()
  }
}

/** Whether everything in the folder is from a restore that did not come to its end. */
const isInterrupted = (folder: string) => existsSync(toRestorePath(folder)) && !hasData(folder)

/** Removes what an interrupted restore has put into place, and its own folder last. */
async function clear(folder: string): Promise<void> {
  for (const path of [toProjectsFolder(folder), ...KEY_FILES.map((name) => join(folder, name)), toRestorePath(folder)])
    await rm(path, { recursive: true, force: true })
}

async function place(work: string, folder: string, placeKey: () => Promise<void>): Promise<void> {
  const projects = join(work, 'projects')
  if (existsSync(projects)) {
    await syncFile(projects)
    await rename(projects, toProjectsFolder(folder))
  }
  await placeKey()
  for (const path of readdirSync(folder, { recursive: true })) giveToOwner(join(folder, path.toString()))
  await syncFile(folder)
  await rename(join(work, CONTROL_ENTRY), toControlPath(folder))
  await syncFile(folder)
}

function requireEmpty(folder: string): void {
  if (!existsSync(folder)) return
  const [found] = isInterrupted(folder) ? [] : readdirSync(folder).filter((name) => !IGNORED.includes(name))
  if (found !== undefined) throw new Refusal(`the folder '${folder}' is not empty ('${found}'); restore into a new one`)
}

/** Disk space that stays free, whatever size an archive claims to have. */
const MIN_FREE_BYTES = 64 * 2 ** 20

/**
 * Writes the `wanted` files of a backup durably into an existing folder, readable only by their owner, and compares
 * them with the manifest. Checks for free space before each file, and writes no more bytes than announced.
 *
 * @throws Refusal as `readBackup`, if there is no room, and if a newer version made the backup.
 */
export async function unpack(archive: string, folder: string, wanted: (name: string) => boolean): Promise<Manifest> {
  const manifest = await readBackup(archive, async ({ name, bytes }) => {
    if (name === MANIFEST_ENTRY || !wanted(name)) return undefined
    await requireRoom(folder, bytes, archive)
    return openNew(join(folder, name))
  })
  requireKnownSchemas(manifest, archive)
  return manifest
}

async function requireRoom(folder: string, bytes: number, archive: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bytes > bavail * bsize - MIN_FREE_BYTES)
    throw new Refusal(`there is no room in '${folder}' for what '${archive}' holds`)
}

async function openNew(path: string) {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const file = await open(path, 'wx', 0o600)
  return {
    write: (piece: Uint8Array) => file.writeFile(piece),
    close: async () => {
      await file.sync()
      await file.close()
    },
  }
}

function requireKnownSchemas({ schemas, memsvc }: Manifest, archive: string): void {
  for (const [kind, name] of Object.entries(schemas)) {
    const known: { name: string }[] = migrations[kind as keyof typeof migrations] ?? []
    if (!known.some((step) => step.name === name))
      throw new Refusal(`'${archive}' was made by a newer memsvc (${memsvc}); restore it with that version`)
  }
}
