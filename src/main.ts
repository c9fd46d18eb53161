import { randomBytes } from 'node:crypto'
import { run } from './commands/run.ts'
import { askHidden } from './commands/terminal/ask.ts'

const interrupted = new Promise<void>((resolve) => {
  process.once('SIGINT', () => resolve())
  process.once('SIGTERM', () => resolve())
})

// A reader that has gone away (`memsvc record list | head`, a closed log) is no reason to fail.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

// The status is only noted: leaving at once would lose what a slow pipe has not taken yet.
process.exitCode = await run(
  {
    environment: process.env,
    clock: { now: Date.now, ticks: () => performance.now() },
    random: { uuid: (at) => Bun.randomUUIDv7('hex', at), bytes: (length) => randomBytes(length) },
    out: (text) => new Promise((taken) => process.stdout.write(text, () => taken())),
    err: (text) => void process.stderr.write(text),
    input: () => Bun.stdin.stream(),
    isTerminal: process.stderr.isTTY === true,
    ask: (question) => askHidden(question, process.stdin, (text) => void process.stderr.write(text)),
    interrupted,
  },
  process.argv.slice(2),
)
