import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { delimiter, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findClientSetup } from '../src/console/project/client-setup.ts'
import { LIBRARY_PACKAGES, toLibraries } from './clients/libraries.ts'
import { endLeftovers, PROGRAMS, type Program, runProgram, setUp } from './clients/programs.ts'
import { type Heard, startRecordingProxy } from './clients/recording-proxy.ts'
import { type Seen, type Step, startScriptedModel } from './clients/scripted-model.ts'
import { NO_PROMPTS, type PromptCall, SDKS, toPythonClient } from './clients/sdks.ts'
import { startBenchedService } from './clients/service.ts'

// Real clients against the built executable, each in an empty home, with a scripted model on loopback that records what reaches it. Prints a table of
// client × step; a cell is `yes`, `–` where the client has no such thing, or what came instead. Clients are installed into FOLDER from the package registry.
// `--long` is how long the long call takes, in seconds; `--record` a folder for every request to the model; `--python` an interpreter with fastmcp and google-genai.
// `bun run build && bun bench/clients.ts [FOLDER] [--only codex --only gemini] [--long 70] [--record REQUESTS] [--python venv/bin/python]`

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string', multiple: true, default: [] },
    long: { type: 'string', default: '70' },
    record: { type: 'string' },
    python: { type: 'string' },
  },
})

const FOLDER = resolve(positionals[0] ?? '.bench-clients')
const LONG_S = Number(values.long)
const TIMEOUT_MS = (LONG_S + 120) * 1_000
const FACT = 'The harbour crane is serviced every March'
/** The service's prompts, the value of their one argument, and what their texts begin with. */
const PROMPTS: PromptCall[] = [
  { name: 'recall', argument: 'topic', value: 'harbour', begin: 'What do we know about this: harbour' },
  { name: 'remember', argument: 'about', value: 'cranes', begin: 'Save what was decided, learned or agreed in this conversation' },
]

/** Names as clients show them: with the name of the server before it, and with a hash after it. */
const own = (name: string) => new RegExp(`^(.*memsvc.*)?${name}$`)
const listed = (name: string) => new RegExp(`everything[._]+${name}(_[0-9a-f]+)?$`)

const STEPS: (Step & { isRight: (text: string) => boolean })[] = [
  {
    cell: 'remember',
    tool: own('remember'),
    args: { content: FACT, source_id: 'docs/crane.md' },
    isRight: (text) => text.includes('"created":'),
  },
  { cell: 'search', tool: own('search'), args: { query: 'when is the crane serviced?' }, isRight: (text) => text.includes(FACT) },
  {
    cell: 'null argument',
    tool: own('search'),
    args: { query: 'crane', limit: null, scope: null },
    isRight: (text) => text.includes(FACT),
  },
  {
    cell: 'name with a dot',
    tool: listed('echo'),
    args: { message: 'from the harbour' },
    isRight: (text) => text.includes('Echo: from the harbour'),
  },
  {
    cell: `call of ${LONG_S} s`,
    tool: listed('trigger.long.running.operation'),
    args: { duration: LONG_S, steps: 7 },
    isRight: (text) => text.includes('Long running operation completed'),
  },
]
const COLUMNS = ['connect', 'list', ...STEPS.map(({ cell }) => cell), 'prompts']

type Row = Record<string, string>

await mkdir(FOLDER, { recursive: true })
await installPrograms()
const service = await startBenchedService(join(import.meta.dir, '..'))
const proxy = startRecordingProxy(service.url)
const model = startScriptedModel(values.record)
const isChosen = (id: string) => values.only.length === 0 || values.only.includes(id)
const rows: Row[] = []
try {
  for (const program of PROGRAMS.filter(({ clientId }) => isChosen(clientId))) rows.push(await tryProgram(program))
  const sdks = [...SDKS, ...toLibraries(FOLDER), ...(values.python === undefined ? [] : [toPythonClient(values.python)])]
  for (const sdk of sdks.filter(({ id }) => isChosen(id))) {
    const heard = proxy.begin()
    const seen = await sdk.run(`${proxy.url}/mcp`, await service.issueKey('other'), STEPS, PROMPTS)
    rows.push({ client: sdk.name, ...toCells(heard, seen), prompts: toPromptCell(seen.text) })
  }
} finally {
  model.stop()
  proxy.stop()
  await service.stop()
}
console.table(Object.fromEntries(rows.map(({ client = '', ...cells }) => [client, cells])), COLUMNS)

async function installPrograms(): Promise<void> {
  const packages = [...PROGRAMS.map((program) => program.package), ...LIBRARY_PACKAGES]
  const dependencies = Object.fromEntries(packages.map((one) => [one.slice(0, one.lastIndexOf('@')), one.slice(one.lastIndexOf('@') + 1)]))
  const wanted = JSON.stringify({ private: true, dependencies, trustedDependencies: Object.keys(dependencies) })
  const file = join(FOLDER, 'package.json')
  if (existsSync(file) && (await Bun.file(file).text()) === wanted) return
  await writeFile(file, wanted)
  const { status, said } = await runProgram([process.execPath, 'install'], { cwd: FOLDER, env: environment(), timeoutMs: 600_000 })
  if (status !== 0) throw new Error(`the clients could not be installed: ${said}`)
}

/** The environment of a client: nothing of the person's own but the path and what the network needs. */
function environment(home = process.env.HOME ?? FOLDER): Record<string, string> {
  const { PATH = '', NODE_EXTRA_CA_CERTS, SSL_CERT_FILE } = process.env
  const certificates = { ...(NODE_EXTRA_CA_CERTS && { NODE_EXTRA_CA_CERTS }), ...(SSL_CERT_FILE && { SSL_CERT_FILE }) }
  return { PATH: join(FOLDER, 'node_modules/.bin') + delimiter + PATH, HOME: home, TERM: 'dumb', CI: '1', ...certificates }
}

async function tryProgram(program: Program): Promise<Row> {
  const home = await mkdtemp(join(FOLDER, 'home-'))
  const work = join(home, 'work')
  await mkdir(work)
  const key = await service.issueKey(program.clientId)
  const setup = findClientSetup(program.clientId, `${proxy.url}/mcp`, key)?.text ?? ''
  const place = { home, work, model: model.url, setup }
  const env = { ...environment(home), SVC_API_KEY: key, ...program.environment(place) }
  try {
    await setUp(program, place, env)
    const heard = proxy.begin()
    const seen = model.begin(STEPS)
    const { said } = await runProgram(program.run(place), { cwd: work, env, timeoutMs: TIMEOUT_MS })
    const prompts = await tryPrompts(program, { work, env }, heard)
    if (seen.results.size === 0) console.error(`${program.name}: ${said.slice(-1_000)}`)
    return { client: program.name, ...toCells(heard, seen), prompts }
  } catch (error) {
    return { client: program.name, connect: String(error) }
  } finally {
    await endLeftovers(home)
    await rm(home, { recursive: true, force: true })
  }
}

/** Runs the prompts where the client can from a command line; otherwise tells whether it asked for their list. */
async function tryPrompts(
  { runPrompt }: Program,
  { work, env }: { work: string; env: Record<string, string> },
  { methods }: Heard,
): Promise<string> {
  if (runPrompt === undefined) return methods.has('prompts/list') ? 'listed' : '–'
  const seen = model.begin([])
  for (const { name, value } of PROMPTS) await runProgram(runPrompt(name, value), { cwd: work, env, timeoutMs: 60_000 })
  return toPromptCell(seen.text)
}

/** The names of the prompts whose texts came. */
function toPromptCell(text: string): string {
  if (text === NO_PROMPTS) return '–'
  const came = PROMPTS.filter(({ begin }) => text.includes(begin)).map(({ name }) => name)
  return came.join(', ') || 'no'
}

function toCells({ methods, revision }: Heard, { tools, results }: Seen): Row {
  const isConnected = methods.has('initialize') || methods.has('server/discover')
  const wanted = [...['remember', 'search', 'forget', 'validate_memory', 'gateway_call'].map(own), listed('echo')]
  const missing = wanted.filter((pattern) => !tools.some((name) => pattern.test(name)))
  const cells = STEPS.map(({ cell, isRight }) => [cell, toCell(results.get(cell), isRight)])
  return {
    connect: isConnected ? revision || 'yes' : 'no',
    list: missing.length === 0 ? 'yes' : `${wanted.length - missing.length} of ${wanted.length}`,
    ...Object.fromEntries(cells),
  }
}

/** Results may be JSON within JSON. */
function toCell(result: string | undefined, isRight: (text: string) => boolean): string {
  if (result === undefined) return 'not called'
  const plain = result.replaceAll('\\', '').replaceAll(/\s+/g, ' ')
  return isRight(plain) ? 'yes' : `no: ${/timed? ?out|timeout/i.test(plain) ? 'gave up' : plain.slice(0, 60)}`
}
