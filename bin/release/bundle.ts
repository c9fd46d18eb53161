import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { OWN_TARGET, toBunTarget } from './targets.ts'

const ROOT = join(import.meta.dir, '../..')
const SRC = join(ROOT, 'src')

/** The program, and each thread that it starts by the address of a file. */
export const ENTRY_POINTS = [
  'main.ts',
  'gateway/worker/main.ts',
  'maintenance/worker/main.ts',
  'store/sqlite/checkpoints/main.ts',
  'agent/histories/sync/worker/main.ts',
]

/**
 * What every bundle has in common. Chunks are shared among the entry points and loaded where they are needed. Never
 * `minify`: Elysia reads the source of its routes.
 */
const COMMON = {
  entrypoints: ENTRY_POINTS.map((path) => join(SRC, path)),
  root: SRC,
  target: 'bun',
  format: 'esm',
  splitting: true,
} as const

/**
 * Builds the executable for one of the targets: for this system around the Bun that runs this, for another one around
 * what Bun fetches from npm's registry. The same sources at the same place give the same bytes. Byte code takes 12 MB
 * and two thirds of the time to start; source maps take 4 MB and name the lines in what is logged of a failure.
 */
export async function buildExecutable(outfile: string, target: string): Promise<void> {
  await mkdir(dirname(outfile), { recursive: true })
  // The source maps that are written beside the executable, besides those in it, are of no use.
  const scratch = await mkdtemp(join(dirname(outfile), '.build-'))
  try {
    await Bun.build({
      ...COMMON,
      sourcemap: 'inline',
      bytecode: true,
      // Nothing that lies in the folder it is started from is read or run.
      compile: {
        outfile: join(scratch, basename(outfile)),
        autoloadDotenv: false,
        autoloadBunfig: false,
        ...(target !== OWN_TARGET && { target: toBunTarget(target) }),
      },
    })
    await chmod(join(scratch, basename(outfile)), 0o755)
    await rename(join(scratch, basename(outfile)), outfile)
  } finally {
    await rm(scratch, { recursive: true })
  }
}

/**
 * Bundles the program for a Bun that is there, as `main.js` in a folder that is made anew. Returns the paths of all
 * that was bundled, relative to the repository.
 */
export async function buildModules(outdir: string): Promise<string[]> {
  await rm(outdir, { recursive: true, force: true })
  const { metafile } = await Bun.build({ ...COMMON, metafile: true, outdir })
  // Threads are started by the name of their source, which stays beside what is made of it.
  for (const path of ENTRY_POINTS.slice(1)) await Bun.write(join(outdir, path), "import './main.js'\n")
  return Object.keys(metafile?.inputs ?? {})
}
