import { mkdir, open, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Refusal } from '../../../errors.ts'
import type { Manifest } from '../../backup.ts'
import { migrations } from '../migrations.ts'
import { MANIFEST_ENTRY } from './entries.ts'
import { readBackup } from './read-backup.ts'

/** Room that stays free on the disk, whatever an archive says that it holds. */
const MIN_FREE_BYTES = 64 * 2 ** 20

/**
 * Writes the files of a backup whose names are `wanted` into a folder that is there, each readable by its owner only and on the disk, and compares them with the manifest.
 * Before each file there must be room for it, and no byte more than it announced is written.
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
  if (bytes > bavail * bsize - MIN_FREE_BYTES) throw new Refusal(`there is no room in '${folder}' for what '${archive}' holds`)
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
