import { cp, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import manifest from '../../package.json'
import { buildModules } from './bundle.ts'
import { readBunParts, readPackages } from './inside.ts'
import { toSbom } from './sbom.ts'
import { toThirdParty } from './third-party.ts'

const ROOT = join(import.meta.dir, '../..')
/** What is taken from the repository as it is. */
const COPIED = ['bin/memsvc.js', 'bin/bunfig.toml', 'README.md', 'CHANGELOG.md', 'SECURITY.md', 'LICENSE']

/**
 * Makes the folder of the npm package: the bundled program, and a command that runs it with the Bun of this machine,
 * which is the package's one dependency. All else is in the bundle; `THIRD-PARTY` and `sbom.cdx.json` say what.
 */
export async function writeNpmPackage(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  await mkdir(join(folder, 'bin'), { recursive: true })
  for (const path of COPIED) await cp(join(ROOT, path), join(folder, path))
  const { name, version, description, license, type, bin, optionalDependencies } = manifest
  const published = { name, version, description, license, type, bin, engines: { node: '>=18' }, optionalDependencies }
  await Bun.write(join(folder, 'package.json'), `${JSON.stringify(published, null, 2)}\n`)
  const packages = await readPackages(await buildModules(join(folder, 'program')))
  await Bun.write(join(folder, 'THIRD-PARTY'), await toThirdParty(packages))
  await Bun.write(join(folder, 'sbom.cdx.json'), toSbom({ version, packages, bunParts: readBunParts() }))
}
