#!/usr/bin/env node
// Starts memsvc where it was installed by npm: with the Bun that came as a dependency, which no script has to have unpacked. The executable of a release needs none of this.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { fileURLToPath } from 'node:url'

const { resolve } = createRequire(import.meta.url)
const { platform, arch, argv, env } = process

/** The path of Bun for this machine; a musl system has only the second of the two Linux packages. */
function findBun() {
  const system = platform === 'win32' ? 'windows' : platform
  const name = `@oven/bun-${system}-${arch === 'arm64' ? 'aarch64' : arch}`
  for (const one of [name, `${name}-musl`]) {
    try {
      return resolve(`${one}/bin/bun${platform === 'win32' ? '.exe' : ''}`)
    } catch {
      // The next one.
    }
  }
  console.error(`memsvc: the dependency ${name} is missing; install again without leaving out optional dependencies`)
  process.exit(1)
}

// Nothing that lies in the folder it is started from is read or run.
const flags = ['--no-env-file', `--config=${fileURLToPath(new URL('bunfig.toml', import.meta.url))}`, '--no-install']
const main = fileURLToPath(new URL('../program/main.js', import.meta.url))
const child = spawn(findBun(), [...flags, main, ...argv.slice(2)], { stdio: 'inherit', env })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR1', 'SIGUSR2']) process.on(signal, () => child.kill(signal))
child.on('exit', (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)))
