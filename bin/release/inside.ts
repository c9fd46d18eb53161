import { join } from 'node:path'

const ROOT = join(import.meta.dir, '../..')
const LICENCE_FILES = new Bun.Glob('{LICENSE,LICENCE,NOTICE,COPYING,license,licence,notice}{,.md,.txt,.BSD,.LIBCXX}')
/**
 * Libraries that Bun links and whose version it knows, by the names it has for them. The rest of `process.versions` is
 * what it is compatible with.
 */
const LINKED_BY_BUN = [
  ...['ares', 'boringssl', 'icu', 'libarchive', 'libdeflate', 'lolhtml', 'lshpack', 'mimalloc', 'picohttpparser'],
  ...['sqlite', 'tinycc', 'usockets', 'uwebsockets', 'webkit', 'zlib', 'zstd'],
]

/**
 * A package of npm that is in a bundle. `texts` are those of its licence files, `integrity` is as in `bun.lock`: the
 * algorithm, a dash and the hash in Base64.
 */
export type Package = {
  name: string
  version: string
  license: string
  homepage: string | undefined
  texts: string[]
  integrity: string
}

/**
 * Reads which packages the bundled files belong to, by name. Throws where one has no licence or no hash: such a package
 * is not shipped.
 */
export async function readPackages(inputs: string[]): Promise<Package[]> {
  const folders = inputs.flatMap((path) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1] ?? [])
  const hashes = await readHashes()
  const packages = await Promise.all([...new Set(folders)].map((folder) => readPackage(folder, hashes)))
  return packages.sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1))
}

async function readPackage(folder: string, hashes: Map<string, string>): Promise<Package> {
  const { name, version, license, homepage } = await Bun.file(join(ROOT, folder, 'package.json')).json()
  const integrity = hashes.get(`${name}@${version}`)
  if (typeof license !== 'string' || integrity === undefined)
    throw new Error(`${name} ${version} has no licence or is not in bun.lock`)
  const files = [...LICENCE_FILES.scanSync(join(ROOT, folder))].sort()
  const texts = await Promise.all(files.map((file) => Bun.file(join(ROOT, folder, file)).text()))
  return { name, version, license, homepage, texts, integrity }
}

/** The hashes in `bun.lock`, by name and version. */
async function readHashes(): Promise<Map<string, string>> {
  const { default: lock } = await import(join(ROOT, 'bun.lock'), { with: { type: 'jsonc' } })
  return new Map(Object.values<unknown[]>(lock.packages).map((entry) => [String(entry[0]), String(entry.at(-1))]))
}

/** The versions of what Bun itself consists of, as far as it says them. */
export function readBunParts(): { name: string; version: string }[] {
  return LINKED_BY_BUN.flatMap((name) => {
    const version = process.versions[name]
    return version === undefined ? [] : [{ name, version }]
  })
}
