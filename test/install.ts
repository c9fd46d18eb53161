import { existsSync } from 'node:fs'
import { join } from 'node:path'

// `bun test` alone works in a fresh checkout too. A process that began without packages does not find them later, so another one runs the tests.
const ROOT = join(import.meta.dir, '..')
const run = (...words: string[]) =>
  Bun.spawnSync([process.execPath, ...words], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] }).exitCode

if (!existsSync(join(ROOT, 'node_modules'))) process.exit(run('install', '--frozen-lockfile') || run('test'))
