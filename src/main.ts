import { randomBytes } from 'node:crypto'
import type { Cli } from './commands/cli.ts'
import { LOCAL_COMMANDS, runLocal } from './commands/local.ts'
import { askHidden } from './commands/terminal/ask.ts'

const interrupted = new Promise<void>((resolve) => {
  process.once('SIGINT', () => resolve())
  process.once('SIGTERM', () => resolve())
})

// A pipe that is closed on the other side (`memsvc record list | head`) is no failure.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

const cli: Cli = {
  environment: process.env,
  clock: { now: Date.now, ticks: () => performance.now() },
  random: { uuid: (at) => Bun.randomUUIDv7('hex', at), bytes: (length) => randomBytes(length) },
  out: (text) => new Promise((resolve) => process.stdout.write(text, () => resolve())),
  err: (text) => void process.stderr.write(text),
  input: () => Bun.stdin.stream(),
  isTerminal: process.stderr.isTTY === true,
  ask: (question) => askHidden(question, process.stdin, (text) => void process.stderr.write(text)),
  interrupted,
}

const args = process.argv.slice(2)
// The service's parts are loaded only where they are needed: they take a fifth of a second and 100 MB.
const run = LOCAL_COMMANDS.has(args[0] ?? '') ? runLocal : (await import('./commands/run.ts')).run
// Not process.exit(), which loses output that a slow pipe has not taken yet.
process.exitCode = await run(cli, args)
