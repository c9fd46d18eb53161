import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRoot } from '../../test/is-root.ts'

const DISK_MIB = 160
const MIB = 2 ** 20

/** Folders of one run. The data has a small disk of its own where this process is root, so that it can be filled. */
export function makePlace() {
  const folder = mkdtempSync(join(tmpdir(), 'memsvc-team-'))
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  const hasDisk =
    isRoot && Bun.spawnSync(['mount', '-t', 'tmpfs', '-o', `size=${DISK_MIB}m`, 'tmpfs', disk]).exitCode === 0
  return {
    folder,
    data: join(disk, 'data'),
    hasDisk,
    /** Takes the room that is left. */
    fill: () => {
      for (const size of [MIB, 4_096])
        try {
          for (let at = 0; ; at++) writeFileSync(join(disk, `fill-${size}-${at}`), new Uint8Array(size))
        } catch (error) {
          if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
        }
    },
    empty: () => {
      for (const name of new Bun.Glob('fill-*').scanSync(disk)) rmSync(join(disk, name))
    },
    remove: () => {
      if (hasDisk) Bun.spawnSync(['umount', '-l', disk])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export type Place = ReturnType<typeof makePlace>
