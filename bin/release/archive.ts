import { chmod, cp, mkdir, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type AsyncZippable, zip } from 'fflate'

/** Files by where they stand in the archive. */
export type Contents = Record<string, string>

/**
 * Writes files as an archive whose ending says its kind, `.tar.gz` or `.zip`, under one folder of its name. What is
 * executable is so in it; owners and times of this machine are not, so that the same files at the same `date` give the
 * same bytes. Needs GNU tar and gzip.
 */
export async function writeArchive(file: string, contents: Contents, date: Date): Promise<void> {
  if (file.endsWith('.zip')) return await writeZip(file, contents, date)
  const name = basename(file, '.tar.gz')
  const folder = join(dirname(file), `.${name}`, name)
  await mkdir(folder, { recursive: true })
  for (const [path, source] of Object.entries(contents)) {
    await cp(source, join(folder, path))
    await chmod(join(folder, path), path === 'memsvc' ? 0o755 : 0o644)
  }
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--sort=name', `--mtime=${date.toISOString()}`]
  await run(['tar', ...owner, '-I', 'gzip -9n', '-cf', file, '-C', dirname(folder), name])
  await rm(dirname(folder), { recursive: true })
}

async function writeZip(file: string, contents: Contents, date: Date): Promise<void> {
  const files = Object.entries(contents).map(async ([path, source]) => [
    `${basename(file, '.zip')}/${path}`,
    await Bun.file(source).bytes(),
  ])
  const entries: AsyncZippable = Object.fromEntries(await Promise.all(files))
  const bytes = await new Promise<Uint8Array>((resolve, reject) =>
    zip(entries, { level: 9, mtime: date }, (error, data) => (error === null ? resolve(data) : reject(error))),
  )
  await Bun.write(file, bytes)
}

/** Runs a program. Throws with what it wrote to standard error where it fails. */
export async function run(command: string[], cwd?: string): Promise<string> {
  const child = Bun.spawn(command, { stdout: 'pipe', stderr: 'pipe', ...(cwd !== undefined && { cwd }) })
  const [output, errors, status] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  if (status !== 0) throw new Error(`${command.join(' ')}: ${errors}`)
  return output
}
