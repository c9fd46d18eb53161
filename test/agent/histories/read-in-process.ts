import { readAll, toSource } from './read-all.ts'

// Reads a history in a process of its own: the file is the first argument. Prints how many lines it has, and the last one.
const { lines } = await readAll(toSource(process.argv[2] ?? '', 'codex'))
console.log(JSON.stringify({ count: lines.length, last: lines.at(-1) }))
