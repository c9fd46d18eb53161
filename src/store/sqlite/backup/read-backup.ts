import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { Compile } from 'typebox/compile'
import { Refusal } from '../../../errors.ts'
import { type ArchivedFile, Manifest } from '../../backup.ts'
import { type ArchiveEntry, readArchive } from './archive.ts'
import { CONTROL_ENTRY, isKnownEntry, KEY_ENTRY, MANIFEST_ENTRY, parseProjectEntry } from './pack.ts'

/** Maximum size of a manifest; for 100 000 projects it has about 40 MiB. */
const MAX_MANIFEST_BYTES = 64 * 2 ** 20

/** Handles a file of an archive while it is read; undefined skips it. */
type Sink = (
  entry: Pick<ArchiveEntry, 'name' | 'bytes'>,
) => Promise<{ write: (piece: Uint8Array) => Promise<unknown>; close: () => Promise<void> } | undefined>

const schema = Compile(Manifest)

const nowhere: Sink = async () => undefined

/**
 * Reads a backup to its end and compares every file in it with the manifest. If it rejects, everything that `sink`
 * received must be discarded.
 *
 * @throws Refusal if it is not a backup, is truncated or changed, or lacks a file that its manifest names.
 */
export async function readBackup(path: string, sink: Sink = nowhere): Promise<Manifest> {
  const found = new Map<string, Pick<ArchivedFile, 'bytes' | 'sha256'>>()
  let manifest: Manifest | undefined
  await readArchive(path, async (entry) => {
    if (!isKnownEntry(entry.name))
      throw new Refusal(`'${path}' has an entry that no backup has: ${JSON.stringify(entry.name.slice(0, 200))}`)
    if (manifest !== undefined || found.has(entry.name))
      throw new Refusal(`'${path}' has an entry twice, or behind its manifest`)
    if (entry.name === MANIFEST_ENTRY) manifest = await readManifest(entry, path)
    else found.set(entry.name, await digest(entry, sink))
  })
  if (manifest === undefined) throw new Refusal(`'${path}' is cut off: it has no manifest`)
  requireWhole(manifest, found, path)
  return manifest
}

async function digest(
  { name, bytes, body }: ArchiveEntry,
  sink: Sink,
): Promise<Pick<ArchivedFile, 'bytes' | 'sha256'>> {
  const hash = createHash('sha256')
  const into = await sink({ name, bytes })
  try {
    for await (const piece of body) {
      hash.update(piece)
      await into?.write(piece)
    }
  } finally {
    await into?.close()
  }
  return { bytes, sha256: hash.digest('hex') }
}

async function readManifest({ bytes, body }: ArchiveEntry, path: string): Promise<Manifest> {
  if (bytes > MAX_MANIFEST_BYTES) throw new Refusal(`the manifest of '${path}' is too large`)
  const pieces: Uint8Array[] = []
  for await (const piece of body) pieces.push(piece)
  const manifest = parseJson(Buffer.concat(pieces).toString('utf8'))
  if (!schema.Check(manifest))
    throw new Refusal(`the manifest of '${path}' is damaged, or of a newer version than this memsvc`)
  return manifest
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Checks that the archive contains exactly the files of the manifest, and that the manifest is consistent: a control
 * file, and files of the projects it names.
 */
function requireWhole(
  manifest: Manifest,
  found: Map<string, Pick<ArchivedFile, 'bytes' | 'sha256'>>,
  path: string,
): void {
  const named = new Map(manifest.files.map(({ name, bytes, sha256 }) => [name, { bytes, sha256 }]))
  if (!isDeepStrictEqual(named, found)) {
    const differing = [...new Set([...named.keys(), ...found.keys()])].find(
      (name) => !isDeepStrictEqual(named.get(name), found.get(name)),
    )
    throw new Refusal(`'${path}' is damaged: ${differing} is not what its manifest says`)
  }
  const isOfAll = manifest.of === 'everything'
  const projects = new Set(manifest.projects.map(({ id }) => id))
  const isHeldTogether = manifest.files.every(
    ({ name, project }) =>
      project === undefined || (projects.has(project) && parseProjectEntry(name)?.projectId === project),
  )
  if (
    !isHeldTogether ||
    found.has(CONTROL_ENTRY) !== isOfAll ||
    found.has(KEY_ENTRY) !== (manifest.secret_key === 'encrypted')
  )
    throw new Refusal(`the manifest of '${path}' contradicts itself`)
}
