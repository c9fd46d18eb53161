import { onTestFinished } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Static } from 'typebox'
import { authenticate } from '../src/account/auth/authenticate.ts'
import type { Caller } from '../src/account/auth/caller.ts'
import { firstRun } from '../src/account/organizations/first-run.ts'
import { type Cli, withService } from '../src/commands/cli.ts'
import { run } from '../src/commands/run.ts'
import type { RememberArguments } from '../src/memory/records/save/draft.ts'
import type { ForgetArguments } from '../src/memory/records/trash/forget.ts'
import type { SearchArguments } from '../src/memory/search/request.ts'
import { searchMemory } from '../src/memory/search/search.ts'
import type { Service } from '../src/service.ts'
import { forgetAs, rememberAs } from './as-caller.ts'
import { buildOrganization } from './builders/organization.ts'

/** What a command line came to. */
export type Ran = { status: number; out: string; err: string }

type RememberArgs = Static<typeof RememberArguments>
type SearchArgs = Static<typeof SearchArguments>
type ForgetArgs = ForgetArguments

/** Tests may run in a Bun that `npx` started, whose path no settings should name. */
export const OWN_PROGRAM = ['/usr/bin/env', join(import.meta.dir, '../src/main.ts')]
const UPLOAD_WORKER = new URL('../src/agent/histories/sync/worker/main.ts', import.meta.url)

/** For acts that are no command. */
const SILENT: Omit<Cli, 'environment' | 'clock' | 'random'> = {
  out: () => {},
  err: () => {},
  outBytes: async () => {},
  parentId: () => 1,
  program: OWN_PROGRAM,
  uploadWorker: UPLOAD_WORKER,
  input: () => new Blob().stream(),
  isTerminal: false,
  isOutputTerminal: false,
  isInputTerminal: false,
  interrupted: () => new Promise(() => {}),
  ignoreSignals: () => {},
}

const START = Date.UTC(2026, 0, 15, 12)

/** A folder for one test, gone when it has finished. */
export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'memsvc-test-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

/** How a command line is run otherwise than usual; `input` is its standard input. */
export type Change = Partial<Omit<Cli, 'input'>> & { input?: string | Uint8Array }

/** Runs one command line in this process. */
export async function runCommand(
  base: Pick<Cli, 'environment' | 'clock' | 'random'>,
  words: string[],
  change: Change = {},
): Promise<Ran> {
  const { input = '', ...rest } = change
  const said = { out: '', err: '' }
  const cli: Cli = {
    ...base,
    isTerminal: false,
    isOutputTerminal: false,
    isInputTerminal: false,
    parentId: () => 1,
    program: OWN_PROGRAM,
    uploadWorker: UPLOAD_WORKER,
    interrupted: () => new Promise(() => {}),
    ignoreSignals: () => {},
    out: (text) => {
      said.out += text
    },
    err: (text) => {
      said.err += text
    },
    outBytes: async (bytes) => {
      said.out += new TextDecoder().decode(bytes)
    },
    input: () => new Blob([input]).stream(),
    ...rest,
  }
  return { status: await run(cli, words), ...said }
}

/** The command line on a data folder of its own, in this process, with a clock the test holds. */
export async function openCli({ environment = {} }: { environment?: Record<string, string> } = {}) {
  const folder = await makeFolder()
  const time = { passed: 0 }
  const base = {
    environment: { SVC_DATA_DIR: folder, ...environment },
    clock: { now: () => START + time.passed, ticks: () => time.passed },
    random: {
      uuid: (at: number) => Bun.randomUUIDv7('hex', at),
      bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
    },
  }

  const runCli = (words: string[], change: Change = {}) => runCommand(base, words, change)

  /** Runs one that must succeed, with `--json`. Returns the value it printed. */
  async function json<Value>(words: string[], input: string | Uint8Array = ''): Promise<Value> {
    const { status, out, err } = await runCli([...words, '--json'], { input })
    if (status !== 0) throw new Error(`${words.join(' ')}: ${err}`)
    return JSON.parse(out) as Value
  }

  /** Acts on the opened service, beside whatever else runs. */
  const onService = <T>(act: Parameters<typeof withService<T>>[1]) =>
    withService<T>({ ...base, ...SILENT }, act, { mayCreate: true })

  return {
    folder,
    run: runCli,
    json,
    onService,
    /** Lets time pass, in milliseconds. */
    pass: (milliseconds: number) => {
      time.passed += milliseconds
    },
    now: () => START + time.passed,
  }
}

/**
 * The same, on a folder with its account, owner, project `default` and key; and what an assistant with that key does
 * meanwhile.
 */
export async function openStartedCli(wish: { environment?: Record<string, string> } = {}) {
  const cli = await openCli(wish)
  const first = await cli.onService(firstRun)
  if (first === undefined) throw new Error('the folder is not new')
  const onOrganization = <T>(act: (org: ReturnType<typeof buildOrganization>) => Promise<T>) =>
    cli.onService((service) => act(buildOrganization({ service, ...first })))
  const asCaller = <T>(act: (service: Service, caller: Caller) => T | Promise<T>) =>
    cli.onService(async (service) => act(service, await authenticate(service, `Bearer ${first.secret}`)))
  return {
    ...cli,
    ...first,
    asCaller,
    /** Adds to the organization as the operator would. */
    onOrganization,
    remember: (args: RememberArgs) => asCaller((service, caller) => rememberAs(service, caller, args)),
    search: async (query: string, args: Partial<SearchArgs> = {}) =>
      (await asCaller((service, caller) => searchMemory(service, caller, { query, ...args }))).result,
    forget: (args: ForgetArgs) => asCaller((service, caller) => forgetAs(service, caller, args)),
  }
}
