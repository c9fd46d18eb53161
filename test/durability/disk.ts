import { dlopen, ptr } from 'bun:ffi'
import { closeSync, existsSync, mkdtempSync, openSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isRoot } from '../is-root.ts'

export type FileSystem = 'ext4' | 'xfs'

/** A file system in a file, whose power can be cut. */
export type Disk = {
  /** Where it is mounted. */
  folder: string
  /**
   * Takes the power from the process and the disk: from now on nothing reaches the disk, what was written and not
   * synchronised included. The process is stopped first. It would otherwise go on for a moment, in which the file
   * system may call an `fsync` done whose transaction it has just thrown away.
   */
  cutPower: (pid: number) => void
  /** Makes every access to it fail from now on, but for what the system has in memory. */
  fail: () => void
  /** Mounts it as a machine does that has power again. Whatever had files open on it must have ended. */
  mountAgain: () => void
  remove: () => void
}

/** XFS asks for no less than 300 MB. */
const IMAGE_BYTES = 320 * 2 ** 20
/** How long a file system without power may be held by others. */
const MAX_HELD_MS = 30_000
/** `EXT4_IOC_SHUTDOWN` and `XFS_IOC_GOINGDOWN` are one number, and so is their flag that leaves out the log. */
const SHUTDOWN = 0x8004587d
const NO_LOG_FLUSH = 2

/** Whether disks of this kind can be made here: it takes root, loop devices and the file system's tools. */
export function canMakeDisk(fileSystem: FileSystem): boolean {
  return (
    isRoot &&
    process.platform === 'linux' &&
    existsSync('/dev/loop-control') &&
    Bun.which(`mkfs.${fileSystem}`) !== null
  )
}

export function makeDisk(fileSystem: FileSystem): Disk {
  const scratch = mkdtempSync(join(tmpdir(), 'memsvc-disk-'))
  const [image, folder] = [join(scratch, 'image'), join(scratch, 'disk')]
  writeFileSync(image, '')
  truncateSync(image, IMAGE_BYTES)
  run('mkfs', '-t', fileSystem, '-q', image)
  run('mkdir', folder)
  const mount = () => run('mount', '-t', fileSystem, '-o', 'loop', image, folder)
  const unmount = () => run('umount', folder)
  mount()
  return {
    folder,
    cutPower: (pid) => {
      process.kill(pid, 'SIGSTOP')
      shutDown(folder)
      process.kill(pid, 'SIGKILL')
    },
    fail: () => shutDown(folder),
    mountAgain: () => {
      unmount()
      mount()
      // What a container that is being started meanwhile was given of the mounts of this machine keeps the file system
      // as it was.
      for (const end = performance.now() + MAX_HELD_MS; !isAlive(folder); Bun.sleepSync(100)) {
        if (performance.now() > end)
          throw new Error(`${folder} is held by another mount namespace, and has no power again`)
        unmount()
        mount()
      }
    },
    remove: () => {
      unmount()
      rmSync(scratch, { recursive: true })
    },
  }
}

function isAlive(folder: string): boolean {
  const path = join(folder, '.alive')
  try {
    writeFileSync(path, '')
    rmSync(path)
    return true
  } catch {
    return false
  }
}

function run(...command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command)
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr}`)
}

function shutDown(folder: string): void {
  const libc = dlopen('libc.so.6', { ioctl: { args: ['i32', 'u64', 'ptr'], returns: 'i32' } })
  const descriptor = openSync(folder, 'r')
  const failed = libc.symbols.ioctl(descriptor, SHUTDOWN, ptr(new Uint32Array([NO_LOG_FLUSH])))
  closeSync(descriptor)
  libc.close()
  if (failed !== 0) throw new Error('the file system does not let itself be shut down')
}
