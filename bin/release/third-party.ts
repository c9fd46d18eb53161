import { join } from 'node:path'
import type { Package } from './inside.ts'

const BUN_LICENCES = join(import.meta.dir, '../../node_modules/bun-types/docs/project/license.mdx')
const LINE = '-'.repeat(80)

/** The licences of all that is in the executable: of Bun, as it says them itself, and of each package. */
export async function toThirdParty(packages: Package[]): Promise<string> {
  const bun = (await Bun.file(BUN_LICENCES).text()).replace(/^---\n.*?\n---\n/s, '').trim()
  const sections = packages.map(
    (one) => `${one.name} ${one.version}\n${one.license}\n${one.homepage ?? ''}\n${toText(one, packages)}`,
  )
  return `memsvc is under the MIT licence (LICENSE). Its executable contains what is named here.

${[`Bun ${Bun.version}\nhttps://bun.com\n\n${bun}`, ...sections].join(`\n\n${LINE}\n`)}
`
}

/** The licence's text, or where it stands, if the package carries none. */
function toText({ license, texts }: Package, packages: Package[]): string {
  if (texts.length > 0) return `\n${texts.map((text) => text.trim()).join('\n\n')}`
  const other = packages.find((one) => one.license === license && one.texts.length > 0)
  if (other === undefined) throw new Error(`no text of the licence ${license}`)
  return `\nThe package carries no text of its licence; it is the one of ${other.name}.`
}
