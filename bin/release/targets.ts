import type { Platform } from './mcpb-manifest.ts'

/**
 * The systems that are built for, as Bun names them without its `bun-`. Those for musl need `libstdc++` and `libgcc`
 * beside it.
 */
export const TARGETS = [
  ...['linux-x64', 'linux-arm64', 'linux-x64-musl', 'linux-arm64-musl'],
  ...['darwin-x64', 'darwin-arm64', 'windows-x64', 'windows-arm64'],
]

/** Names of systems in bundles of Claude Desktop, by those of Bun's targets. */
const PLATFORMS: Record<string, Platform> = { linux: 'linux', darwin: 'darwin', windows: 'win32' }

/** The target of the machine that this runs on. */
export const OWN_TARGET = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`

/** Throws for what is no target. */
export function toBunTarget(target: string): Bun.Build.CompileTarget {
  if (!TARGETS.includes(target)) throw new Error(`--target must be one of ${TARGETS.join(', ')}, not '${target}'`)
  return `bun-${target}` as Bun.Build.CompileTarget
}

export function toPlatform(target: string): Platform {
  const platform = PLATFORMS[target.split('-')[0] ?? '']
  if (platform === undefined) throw new Error(`no platform for ${target}`)
  return platform
}

export const toExecutableName = (target: string) => (toPlatform(target) === 'win32' ? 'memsvc.exe' : 'memsvc')

/** What a release calls the archive with the executable. */
export const toArchiveName = (version: string, target: string) =>
  `memsvc-${version}-${target}.${toPlatform(target) === 'win32' ? 'zip' : 'tar.gz'}`
