import { randomBytes } from 'node:crypto'
import { isatty } from 'node:tty'
import type { Cli } from './commands/cli.ts'
import { LOCAL_COMMANDS } from './commands/local.ts'
import { ownProgram, restartWith, restartWithSmallHeap } from './commands/restart.ts'
import { run } from './commands/run.ts'
import { askHidden, askYesNo, type LineInput } from './commands/terminal/ask.ts'
import { Refusal, toErrorCode, toMessage } from './errors.ts'

/**
 * The agent runs without the compiler that optimizes functions, and with an engine that collects garbage as on a machine
 * of 64 MiB: at most 70 MiB in place of 105 during an upload, 58 in place of 75 after it (bench/sync.ts), and 113 in
 * place of 202 with 20 000 sessions, for the same processor time. Connecting takes 25 ms (bench/agent.ts). Without any
 * compiler an upload would take three times the processor time.
 */
const AGENT_ENGINE = { BUN_JSC_useDFGJIT: '0', BUN_JSC_forceRAMSize: String(64 * 2 ** 20) }

let interrupted: Promise<void> | undefined
const waitForInterrupt = () =>
  new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve())
    process.once('SIGTERM', () => resolve())
  })

// What cannot be written is said to whoever writes.
process.stdout.on('error', () => {})
process.stderr.on('error', () => {})

// Not Bun.write(Bun.stdout, …), which writes some bytes twice when a pipe is full, nor Bun.stdout.writer(), whose flush()
// also resolves when the pipe is closed.
const write = (output: string | Uint8Array) =>
  new Promise<void>((resolve, reject) => process.stdout.write(output, (error) => (error ? reject(error) : resolve())))

const input: LineInput = { stream: process.stdin, rest: '' }

const cli: Cli = {
  environment: process.env,
  clock: { now: Date.now, ticks: () => performance.now() },
  random: { uuid: (at) => Bun.randomUUIDv7('hex', at), bytes: (length) => randomBytes(length) },
  out: (text) =>
    write(text).catch((error) => {
      // A pipe that is closed on the other side (`memsvc record list | head`) is no failure.
      if (toErrorCode(error) !== 'EPIPE') throw new Refusal(`the output cannot be written: ${toMessage(error)}`)
    }),
  err: (text) => void process.stderr.write(text),
  outBytes: write,
  parentId: () => process.ppid,
  program: ownProgram(),
  // Relative to this file in the executable too, where the worker is an entry point of its own.
  uploadWorker: new URL('./agent/histories/sync/worker/main.ts', import.meta.url),
  input: () => Bun.stdin.stream(),
  isTerminal: process.stderr.isTTY === true,
  isOutputTerminal: process.stdout.isTTY === true,
  isInputTerminal: isatty(0),
  ask: (question) => askHidden(question, input, (text) => void process.stderr.write(text)),
  ...(process.stdin.isTTY && {
    confirm: (question) => askYesNo(question, input, (text) => void process.stderr.write(text)),
  }),
  interrupted: () => {
    interrupted ??= waitForInterrupt()
    return interrupted
  },
  ignoreSignals: () => {
    for (const signal of ['SIGHUP', 'SIGUSR1', 'SIGUSR2'] as const) process.on(signal, () => {})
  },
}

const args = process.argv.slice(2)
const { env: environment, platform } = process
// Options may precede the command. If another command has such an argument, it is only started twice.
if (args.includes('serve'))
  restartWithSmallHeap(args, { environment, platform, memoryBytes: process.constrainedMemory() })
if (args[0] === 'agent') restartWith(AGENT_ENGINE, args, { environment, platform })
// Not process.exit(), which would lose output that a slow pipe has not accepted yet.
process.exitCode = await run(cli, args)
// Local commands have waited for their output, and must not be kept alive by an open connection or by standard input.
if (LOCAL_COMMANDS.has(args[0] ?? '')) process.exit()
