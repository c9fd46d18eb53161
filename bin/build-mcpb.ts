import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { buildExecutable } from './release/bundle.ts'
import { writeMcpb } from './release/mcpb.ts'
import { OWN_TARGET, toExecutableName, toPlatform } from './release/targets.ts'

// Makes the bundle that Claude Desktop installs with one click: `bun run build:mcpb`, for another system than this one
// with `-- --target darwin-arm64`.

const DIST = join(import.meta.dir, '../dist')

const { target } = parseArgs({ options: { target: { type: 'string', default: OWN_TARGET } } }).values
const executable = join(DIST, 'mcpb', target, toExecutableName(target))
await buildExecutable(executable, target)
const file = join(DIST, `memsvc-${target}.mcpb`)
await writeMcpb(file, toPlatform(target), executable)
console.log(`${file} (${(Bun.file(file).size / 1e6).toFixed(0)} MB)`)
