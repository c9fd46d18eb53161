import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { version } from '../package.json'
import { type Contents, run, writeArchive } from './release/archive.ts'
import { buildExecutable } from './release/bundle.ts'
import { writeMcpb } from './release/mcpb.ts'
import { writeNpmPackage } from './release/npm-package.ts'
import { TARGETS, toArchiveName, toBunTarget, toExecutableName, toPlatform } from './release/targets.ts'

// Makes what is published of a version, in `dist/release`: `bun run release`, for some systems alone with `-- --target
// linux-x64 --target linux-arm64`. Bun fetches what it needs for another system than this one from npm's registry,
// once.

const ROOT = join(import.meta.dir, '..')
const OUT = join(ROOT, 'dist/release')
const NPM = join(OUT, 'npm')
const NAME = `memsvc-${version}`

const targets = parseArgs({ options: { target: { type: 'string', multiple: true, default: TARGETS } } }).values.target
targets.forEach(toBunTarget)

await rm(OUT, { recursive: true, force: true })
await mkdir(OUT, { recursive: true })
await writeNpmPackage(NPM)
await rename(join(NPM, 'sbom.cdx.json'), join(OUT, `${NAME}.cdx.json`))
await run(['npm', 'pack', '--pack-destination', OUT], NPM)
const date = new Date(Number(await run(['git', 'log', '-1', '--format=%ct'], ROOT)) * 1_000)
for (const target of targets) await release(target)
await rm(NPM, { recursive: true })
await writeSums()

/**
 * The executable in an archive with what a user needs beside it, and as a bundle for systems that Claude Desktop is
 * made for.
 */
async function release(target: string): Promise<void> {
  const platform = toPlatform(target)
  const executable = join(OUT, 'build', toExecutableName(target))
  await buildExecutable(executable, target)
  const contents: Contents = { [toExecutableName(target)]: executable, 'THIRD-PARTY': join(NPM, 'THIRD-PARTY') }
  for (const file of ['README.md', 'CHANGELOG.md', 'LICENSE']) contents[file] = join(ROOT, file)
  if (platform === 'linux') contents['memsvc.service'] = join(ROOT, 'deploy/memsvc.service')
  await writeArchive(join(OUT, toArchiveName(version, target)), contents, date)
  if (platform !== 'linux') await writeMcpb(join(OUT, `${NAME}-${target}.mcpb`), platform, executable)
  await rm(join(OUT, 'build'), { recursive: true })
  console.log(target)
}

/** The SHA-256 of every file, as `sha256sum -c` reads them. */
async function writeSums(): Promise<void> {
  const files = [...new Bun.Glob('*').scanSync(OUT)].sort()
  const lines = files.map(async (file) => {
    const hash = new Bun.CryptoHasher('sha256').update(await Bun.file(join(OUT, file)).arrayBuffer())
    return `${hash.digest('hex')}  ${file}\n`
  })
  const part = join(OUT, 'SHA256SUMS.part')
  await Bun.write(part, (await Promise.all(lines)).join(''))
  await rename(part, join(OUT, 'SHA256SUMS'))
}
