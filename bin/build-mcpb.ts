import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { zipSync } from 'fflate'
import { toManifest, toProgram } from './mcpb-manifest.ts'

// Makes the bundle that Claude Desktop installs with one click: `bun run build:mcpb`, for another system than this one with `-- --target bun-darwin-arm64`.

const DIST = join(import.meta.dir, '../dist')
/** Names of systems in bundles, by those of Bun's targets. */
const SYSTEMS = { linux: 'linux', darwin: 'darwin', windows: 'win32' } as const
const EXECUTABLE_MODE = 0o755
/** The system under which the bits of a file mean rights, in the format of zip. */
const UNIX = 3

const { values } = parseArgs({ options: { target: { type: 'string', default: ownTarget() } } })
const [, system = '', arch = ''] = /^bun-(linux|darwin|windows)-(\w+)$/.exec(values.target) ?? []
const platform = SYSTEMS[system as keyof typeof SYSTEMS]
if (platform === undefined) throw new Error('--target must be one of Bun, such as bun-darwin-arm64')

const executable = join(DIST, 'mcpb', values.target, toProgram(platform))
const { exitCode, stderr } = Bun.spawnSync([process.execPath, 'run', 'build', `--target=${values.target}`, '--outfile', executable], {
  cwd: join(DIST, '..'),
  stdout: 'ignore',
})
if (exitCode !== 0) throw new Error(stderr.toString())

const manifest = new TextEncoder().encode(`${JSON.stringify(toManifest(platform), null, 2)}\n`)
// Folders get no entries of their own: the reference tool takes them for files.
const zip = zipSync({
  'manifest.json': manifest,
  [toProgram(platform)]: [await Bun.file(executable).bytes(), { os: UNIX, attrs: EXECUTABLE_MODE << 16 }],
})
const file = join(DIST, `memsvc-${platform}-${arch}.mcpb`)
await Bun.write(file, zip)
console.log(`${file} (${(zip.length / 2 ** 20).toFixed(0)} MiB)`)

function ownTarget(): string {
  return `bun-${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
}
