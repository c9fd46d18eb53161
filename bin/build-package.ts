import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeNpmPackage } from './release/npm-package.ts'

// Makes the folder of the npm package, for `npm pack` and `npm publish`, with the licences and the bill of materials of
// what is inside: `bun run build:package`.

const { outdir } = parseArgs({
  options: { outdir: { type: 'string', default: join(import.meta.dir, '../dist/npm') } },
}).values
await writeNpmPackage(outdir)
console.log(outdir)
