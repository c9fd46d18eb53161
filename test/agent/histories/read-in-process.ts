import { readAll, toSource } from './read-all.ts'

// Reads a history in a process of its own: the file is the first argument. Prints how many lines it has, the last one,
// and the most memory that the process had, in bytes.
const { lines } = await readAll(toSource(process.argv[2] ?? '', 'codex'))
console.log(JSON.stringify({ count: lines.length, last: lines.at(-1), maxBytes: await readMaxBytes() }))

/** Where the system tells it, of this program alone: `maxRSS` begins with what the parent had. */
async function readMaxBytes(): Promise<number> {
  const status = await Bun.file('/proc/self/status')
    .text()
    .catch(() => '')
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/m.exec(status) ?? []
  return kilobytes === undefined ? process.resourceUsage().maxRSS * 1_024 : Number(kilobytes) * 1_024
}
