import { mkdir, open, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Refusal } from '../../../errors.ts'
import type { Manifest } from '../../backup.ts'
import { migrations } from '../migrations.ts'
import { MANIFEST_ENTRY } from './pack.ts'
import { readBackup } from './read-backup.ts'

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
