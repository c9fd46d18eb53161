import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildExecutable } from './release/bundle.ts'
import { OWN_TARGET } from './release/targets.ts'

// Makes the executable `dist/memsvc`: `bun run build`, for another system than this one with `-- --target darwin-arm64
// --outfile dist/memsvc-mac`.

const { target, outfile } = parseArgs({
  options: {
    target: { type: 'string', default: OWN_TARGET },
    outfile: { type: 'string', default: join(import.meta.dir, '../dist/memsvc') },
  },
}).values
await buildExecutable(outfile, target)
console.log(`${outfile} (${(Bun.file(outfile).size / 1e6).toFixed(0)} MB)`)
