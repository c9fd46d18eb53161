import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { run } from '../../../bin/release/archive.ts'
import manifest from '../../../package.json'

const ROOT = join(import.meta.dir, '../../..')
const folder = mkdtempSync(join(tmpdir(), 'memsvc-inside-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Component = {
  name: string
  group?: string
  version: string
  licenses: { license: { id: string } }[]
  components?: Component[]
}

let sbom = ''
let components: Component[] = []
// In a process of its own: macros are not run where a plugin is registered, as in that of the tests.
beforeAll(async () => {
  await run([process.execPath, join(ROOT, 'bin/build-package.ts'), '--outdir', folder])
  sbom = await Bun.file(join(folder, 'sbom.cdx.json')).text()
  components = JSON.parse(sbom).components
})
const nameOf = ({ group, name }: Component) => (group === undefined ? name : `${group}/${name}`)

test('what is shipped has every dependency and nothing that is for development, all under licences that ask for no more than to be named', () => {
  const names = new Set(components.map(nameOf))
  expect(Object.keys(manifest.dependencies).filter((name) => !names.has(name))).toEqual([])
  expect(Object.keys(manifest.devDependencies).filter((name) => names.has(name))).toEqual([])
  const licences = new Set(components.flatMap((one) => one.licenses.map(({ license }) => license.id)))
  expect(
    [...licences].filter((id) => !['MIT', 'ISC', '0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause'].includes(id)),
  ).toEqual([])
})

test('the bill of materials is valid, and has each package with its hash, and Bun with the SQLite in it', async () => {
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(sbom)).toBeNull()
  const { metadata, dependencies } = JSON.parse(sbom)
  expect(metadata.component).toMatchObject({ name: 'memsvc', version: manifest.version })
  const version = manifest.dependencies.elysia
  const elysia = { version, purl: `pkg:npm/elysia@${version}`, hashes: [expect.objectContaining({ alg: 'SHA-512' })] }
  expect(components.find(({ name }) => name === 'elysia')).toMatchObject(elysia)
  const bun = components.find(({ name }) => name === 'bun')
  expect([bun?.version, bun?.components?.map(({ name }) => name)]).toEqual([
    Bun.version,
    expect.arrayContaining(['sqlite', 'webkit']),
  ])
  const own = dependencies.find(({ ref }: { ref: string }) => ref === metadata.component['bom-ref'])
  expect(own.dependsOn).toHaveLength(components.length)
})

test('the licences of all that is inside are told with their texts', async () => {
  const text = await Bun.file(join(folder, 'THIRD-PARTY')).text()
  expect(text).toContain('JavaScriptCore')
  for (const one of components) expect(text).toContain(`\n${one.name === 'bun' ? 'Bun' : nameOf(one)} ${one.version}\n`)
})

test('the npm package depends on nothing but Bun, and has no scripts', async () => {
  const {
    dependencies,
    scripts,
    private: isPrivate,
    optionalDependencies,
  } = await Bun.file(join(folder, 'package.json')).json()
  expect([dependencies, scripts, isPrivate]).toEqual([undefined, undefined, undefined])
  expect(Object.keys(optionalDependencies).filter((name) => !name.startsWith('@oven/bun-'))).toEqual([])
})
