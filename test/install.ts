import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// `bun test` works in a fresh checkout too. A process that began without packages does not find them later, so another
// one runs the same tests.
const ROOT = join(import.meta.dir, '..')
const OWN_COMMAND = '/proc/self/cmdline'

/**
 * The words of this command line, which Bun does not tell a test; without a `/proc`, one with blanks in it is taken for
 * several.
 */
function readCommandLine(): string[] {
  if (existsSync(OWN_COMMAND)) return readFileSync(OWN_COMMAND, 'utf8').split('\0').slice(0, -1)
  return Bun.spawnSync(['ps', '-ww', '-o', 'args=', '-p', `${process.pid}`])
    .stdout.toString()
    .trim()
    .split(' ')
}

const run = (...words: string[]) =>
  Bun.spawnSync([process.execPath, ...words], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] }).exitCode

function runAgain(): number {
  const [, ...words] = readCommandLine()
  if (!words.includes('--test-worker')) return run(...words)
  // One of several processes of `bun test --parallel`, to which the first one talks.
  console.error('The packages are installed now. Run the same command again.')
  return 1
}

// What `bun run start` installs is not enough.
if (!existsSync(join(ROOT, 'node_modules/fast-check'))) process.exit(run('install', '--frozen-lockfile') || runAgain())
