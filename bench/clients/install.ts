import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { LIBRARY_PACKAGES } from './libraries.ts'
import { PROGRAMS, runProgram } from './programs.ts'

/**
 * Installs all clients and libraries into a folder from the package registry, unless they are there in these versions.
 */
export async function installPrograms(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  const packages = [...PROGRAMS.map((program) => program.package), ...LIBRARY_PACKAGES]
  const dependencies = Object.fromEntries(packages.map((one) => [one.slice(0, one.lastIndexOf('@')), versionOf(one)]))
  const wanted = JSON.stringify({ private: true, dependencies, trustedDependencies: Object.keys(dependencies) })
  const file = join(folder, 'package.json')
  if (existsSync(file) && (await Bun.file(file).text()) === wanted) return
  await writeFile(file, wanted)
  const command = [process.execPath, 'install']
  const { status, said } = await runProgram(command, { cwd: folder, env: toEnvironment(folder), timeoutMs: 600_000 })
  if (status !== 0) throw new Error(`the clients could not be installed: ${said}`)
}

export function versionOf(wanted: string): string {
  return wanted.slice(wanted.lastIndexOf('@') + 1)
}

/**
 * The environment of a client that is installed in `folder`: nothing of the person's own but the path and what the
 * network needs.
 */
export function toEnvironment(folder: string, home = process.env.HOME ?? folder): Record<string, string> {
  const { PATH = '', NODE_EXTRA_CA_CERTS, SSL_CERT_FILE } = process.env
  const certificates = { ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }), ...(SSL_CERT_FILE && { SSL_CERT_FILE }) }
  return {
    PATH: join(folder, 'node_modules/.bin') + delimiter + PATH,
    HOME: home,
    TERM: 'dumb',
    CI: '1',
    ...certificates,
  }
}
