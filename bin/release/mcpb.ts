import { zipSync } from 'fflate'
import { type Platform, toManifest, toProgram } from './mcpb-manifest.ts'

const EXECUTABLE_MODE = 0o755
/** The system under which the bits of a file mean rights, in the format of zip. */
const UNIX = 3

/** Writes the bundle that Claude Desktop installs with one click. */
export async function writeMcpb(file: string, platform: Platform, executable: string): Promise<void> {
  const manifest = new TextEncoder().encode(`${JSON.stringify(toManifest(platform), null, 2)}\n`)
  // Folders get no entries of their own: the reference tool takes them for files.
  const zip = zipSync({
    'manifest.json': manifest,
    [toProgram(platform)]: [await Bun.file(executable).bytes(), { os: UNIX, attrs: EXECUTABLE_MODE << 16 }],
  })
  await Bun.write(file, zip)
}
