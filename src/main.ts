import { randomBytes } from 'node:crypto'
import { run } from './commands/run.ts'
import { askHidden } from './commands/terminal/ask.ts'

const interrupted = new Promise<void>((resolve) => {
  process.once('SIGINT', () => resolve())
  process.once('SIGTERM', () => resolve())
})

// A pipe that is closed on the other side (`memsvc record list | head`) is no failure.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

// Not process.exit(), which loses output that a slow pipe has not taken yet.
process.exitCode = await run(
  {
    environment: process.env,
    clock: { now: Date.now, ticks: () => performance.now() },
    random: { uuid: (at) => Bun.randomUUIDv7('hex', at), bytes: (length) => randomBytes(length) },
    out: (text) => new Promise((resolve) => process.stdout.write(text, () => resolve())),
    err: (text) => void process.stderr.write(text),
    input: () => Bun.stdin.stream(),
    isTerminal: process.stderr.isTTY === true,
    ask: (question) => askHidden(question, process.stdin, (text) => void process.stderr.write(text)),
    interrupted,
  },
  process.argv.slice(2),
)
