import { Enums, Models, Serialize, Spec } from '@cyclonedx/cyclonedx-library'
import type { Package } from './inside.ts'

type Release = { version: string; packages: Package[]; bunParts: { name: string; version: string }[] }

/**
 * What the executable consists of, as a document of CycloneDX 1.6 in JSON: Bun with what it links, and each package
 * with its licence and hash.
 */
export function toSbom({ version, packages, bunParts }: Release): string {
  const bom = new Models.Bom({ version: 1 })
  const ref = `pkg:npm/memsvc@${version}`
  const memsvc = new Models.Component(Enums.ComponentType.Application, 'memsvc', { version, bomRef: ref, purl: ref })
  memsvc.licenses.add(new Models.SpdxLicense('MIT'))
  bom.metadata.component = memsvc
  for (const component of [toBun(bunParts), ...packages.map(toComponent)]) {
    bom.components.add(component)
    memsvc.dependencies.add(component.bomRef)
  }
  const serializer = new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(Spec.Spec1dot6))
  return `${serializer.serialize(bom, { space: 2, sortLists: true })}\n`
}

function toBun(parts: Release['bunParts']): Models.Component {
  const ref = `pkg:npm/bun@${Bun.version}`
  const bun = new Models.Component(Enums.ComponentType.Framework, 'bun', {
    version: Bun.version,
    bomRef: ref,
    purl: ref,
  })
  bun.licenses.add(new Models.SpdxLicense('MIT'))
  for (const { name, version } of parts)
    bun.components.add(new Models.Component(Enums.ComponentType.Library, name, { version, bomRef: `${ref}#${name}` }))
  return bun
}

function toComponent({ name, version, license, homepage, integrity }: Package): Models.Component {
  const [scope, plain] = name.startsWith('@') ? name.split('/', 2) : [undefined, name]
  const ref = `pkg:npm/${name.replace('@', '%40')}@${version}`
  const component = new Models.Component(Enums.ComponentType.Library, plain ?? name, {
    version,
    bomRef: ref,
    purl: ref,
  })
  if (scope !== undefined) component.group = scope
  component.licenses.add(new Models.SpdxLicense(license))
  component.hashes.set(Enums.HashAlgorithm['SHA-512'], Uint8Array.fromBase64(integrity.replace(/^sha512-/, '')).toHex())
  if (homepage !== undefined)
    component.externalReferences.add(new Models.ExternalReference(homepage, Enums.ExternalReferenceType.Website))
  return component
}
