import { expect, test } from 'bun:test'
import { existsSync, readdirSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { constants, zstdCompressSync } from 'node:zlib'
import { packTar, type TarEntry } from 'modern-tar'
import { openStartedCli } from '../run-cli.ts'

const MANIFEST = { header: { name: 'manifest.json', size: 2, type: 'file' as const }, body: '{}' }

/** What restoring an archive of these entries says, and what it leaves in the folder and beside it. */
async function openVictim() {
  const { folder, run, json } = await openStartedCli()
  const target = join(folder, 'inner', 'target')
  const archive = join(folder, 'archive.tar.zst')
  const restore = async (tar: Uint8Array) => {
    await writeFile(archive, Bun.zstdCompressSync(tar))
    const { status, err } = await run(['restore', archive, '--data', target])
    return { status, err, left: readdirSync(target), outside: readdirSync(join(folder, 'inner')) }
  }
  const restoreEntries = async (...entries: TarEntry[]) => restore(await packTar(entries))
  return { folder, run, json, archive, target, restore, restoreEntries }
}

const file = (name: string, body = 'x'): TarEntry => ({ header: { name, size: body.length, type: 'file' }, body })
const EMPTY = { left: ['serve.lock'], outside: ['target'] }

test.each([
  '../evil.db',
  '/tmp/memsvc-evil',
  'projects/../../evil.db',
  'projects/..',
  'projects/a/b.db',
  'projects\\..\\evil.db',
  'serve.lock',
  '.restore',
  'control.db\0.txt',
])('an entry named %j is refused before a byte of it is written', async (name) => {
  const { restoreEntries } = await openVictim()
  const { status, err, ...left } = await restoreEntries(file(name), MANIFEST)
  expect(err).toMatch(/an entry that no backup has|damaged/)
  expect([status, left]).toEqual([1, EMPTY])
  expect(existsSync('/tmp/memsvc-evil')).toBe(false)
})

test.each(['symlink', 'link', 'fifo', 'character-device', 'directory'] as const)(
  'an entry that is a %s is refused',
  async (type) => {
    const { restoreEntries } = await openVictim()
    const { err, ...left } = await restoreEntries(
      { header: { name: 'control.db', size: 0, type, linkname: '/etc/passwd' } },
      MANIFEST,
    )
    expect(err).toContain('has an entry that is no file')
    expect(left).toEqual({ status: 1, ...EMPTY })
  },
)

test('an entry twice, one behind the manifest, and one that the manifest does not know are refused', async () => {
  const { restoreEntries } = await openVictim()
  expect((await restoreEntries(file('control.db'), file('control.db'), MANIFEST)).err).toContain('has an entry twice')
  expect((await restoreEntries(MANIFEST, file('control.db'))).err).toContain('the manifest of')
  expect((await restoreEntries(file('control.db'))).err).toContain('it has no manifest')
  expect(await restoreEntries(file('control.db'), MANIFEST)).toMatchObject({
    status: 1,
    err: expect.stringContaining('is damaged'),
    ...EMPTY,
  })
})

test('an archive that says it holds more than the disk has is refused before anything is written', async () => {
  const { restore } = await openVictim()
  const tar = await packTar([file('control.db')])
  const announced = (2 ** 33 - 1).toString(8).padStart(11, '0')
  tar.set(new TextEncoder().encode(announced), 124)
  tar.set(new TextEncoder().encode(' '.repeat(8)), 148)
  const sum = tar.subarray(0, 512).reduce((all, byte) => all + byte, 0)
  tar.set(new TextEncoder().encode(`${sum.toString(8).padStart(6, '0')}\0 `), 148)
  const { status, err, ...left } = await restore(tar)
  expect(err).toMatch(/there is no room|cut off or damaged/)
  expect([status, left]).toEqual([1, EMPTY])
})

test('a file that is no archive, and one whose window would take a gigabyte, are refused', async () => {
  const { run, archive, target } = await openVictim()
  await writeFile(archive, 'PK')
  expect((await run(['restore', archive, '--data', target])).err).toContain('is no backup')
  const frame = zstdCompressSync(new Uint8Array(2 ** 20), { params: { [constants.ZSTD_c_contentSizeFlag]: 0 } })
  // The window's descriptor, whose upper five bits are the exponent over 2^10 (RFC 8878, 3.1.1.1.2): 2^30 bytes.
  frame[5] = 20 << 3
  await writeFile(archive, frame)
  expect((await run(['restore', archive, '--data', target])).err).toContain('is no backup')
})

/** Some bits of compressed data may be otherwise and mean the same. */
function inflatesTo(changed: Uint8Array, tar: Uint8Array): boolean {
  try {
    return Buffer.compare(Bun.zstdDecompressSync(changed), tar) === 0
  } catch {
    return false
  }
}

test('no byte of a backup can be changed, nor its end cut off, without being found', async () => {
  const { json, archive, folder, run } = await openVictim()
  const whole = join(folder, 'whole.tar.zst')
  await json(['backup', whole])
  const bytes = await readFile(whole)
  const verify = async (changed: Uint8Array) => {
    await writeFile(archive, changed)
    return (await run(['backup', 'verify', archive])).status
  }
  expect(await verify(bytes)).toBe(0)
  const places = Array.from({ length: 60 }, (_, at) => Math.floor((at * bytes.length) / 60))
  const flipped = places.map((place) => bytes.with(place, (bytes[place] ?? 0) ^ (1 << (place % 8))))
  const statuses: number[] = []
  for (const changed of flipped)
    statuses.push(inflatesTo(changed, Bun.zstdDecompressSync(bytes)) ? 1 : await verify(changed))
  for (const length of [0, 1, bytes.length >> 1, bytes.length - 500])
    statuses.push(await verify(bytes.subarray(0, length)))
  expect(statuses).toEqual(statuses.map(() => 1))
})
