import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { findClientSetup } from '../src/console/project/client-setup.ts'
import { RememberArguments } from '../src/memory/records/save/draft.ts'
import { SearchArguments } from '../src/memory/search/request.ts'
import { createSemaphore } from '../src/semaphore.ts'
import { installPrograms, toEnvironment, versionOf } from './clients/install.ts'
import { toLibraries } from './clients/libraries.ts'
import { endLeftovers, PROGRAMS, type Program, runProgram, setUp } from './clients/programs.ts'
import { type Heard, startRecordingProxy } from './clients/recording-proxy.ts'
import { type Seen, type Step, startScriptedModel } from './clients/scripted-model.ts'
import { NO_PROMPTS, type PromptCall, SDKS, type Sdk, toPythonClient } from './clients/sdks.ts'
import { startBenchedService } from './clients/service.ts'

// Real clients against the built executable, each in an empty home and with a project of its own, with a scripted model
// on loopback that records what reaches it. Prints a table, which docs/clients.md sums up; a cell is `yes`, `–` where the client
// has no such thing, or what came instead. Clients are installed into FOLDER from the package registry. `--long` is how
// long the long call takes, in seconds; `--record` a folder for every request to the model; `--python` an interpreter
// with fastmcp and google-genai. `bun run build && bun bench/clients.ts [FOLDER] [--only codex --only gemini] [--long
// 70] [--record REQUESTS] [--python venv/bin/python]`

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
const TIMEOUT_MS = (LONG_S + 180) * 1_000
/** Clients that run at the same time: most of it they wait for the long call. */
const AT_ONCE = 3
const FACT = 'The harbour crane is serviced every March'
/** Shares no word with the fact. */
const ASKED_AS = 'overhaul of lifting gear'
/** The service's prompts, the value of their one argument, and what their texts begin with. */
const PROMPTS: PromptCall[] = [
  { name: 'recall', argument: 'topic', value: 'harbour', begin: 'What do we know about this: harbour' },
  {
    name: 'remember',
    argument: 'about',
    value: 'cranes',
    begin: 'Save what was decided, learned or agreed in this conversation',
  },
]

/** What a model is told of the arguments for other wordings. */
const DESCRIPTIONS = [SearchArguments.properties.also, RememberArguments.properties.asked_as].map((schema: object) =>
  'description' in schema ? String(schema.description) : '',
)

/** Names as clients show them: with the name of the server before it, and with a hash after it. */
const own = (name: string) => new RegExp(`^(.*memsvc.*)?${name}$`)
const listed = (name: string) => new RegExp(`everything[._]+${name}(_[0-9a-f]+)?$`)

const STEPS: (Step & { isRight: (text: string) => boolean })[] = [
  {
    cell: 'remember',
    tool: own('remember'),
    args: { content: FACT, source_id: 'docs/crane.md', asked_as: [ASKED_AS] },
    isRight: (text) => text.includes('"created":'),
  },
  toSearch('search', { query: 'when is the crane serviced?' }),
  toSearch('also', { query: 'hoist inspection', also: ['harbour crane'] }),
  toSearch('asked_as', { query: ASKED_AS }),
  toSearch('null argument', { query: 'crane', limit: null, scope: null }),
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
const COLUMNS = ['client', 'revision', 'list', 'told of both', ...STEPS.map(({ cell }) => cell), 'prompts']

type Row = Record<string, string>

function toSearch(cell: string, args: object) {
  return { cell, tool: own('search'), args, isRight: (text: string) => text.includes(FACT) }
}

await installPrograms(FOLDER)
const service = await startBenchedService(join(import.meta.dir, '..'))
const isChosen = (id: string) => values.only.length === 0 || values.only.includes(id)
const turns = createSemaphore({ ofKey: AT_ONCE, ofAll: AT_ONCE })
const sdks = [...SDKS, ...toLibraries(FOLDER), ...(values.python === undefined ? [] : [toPythonClient(values.python)])]
const tries = [
  ...PROGRAMS.filter(({ clientId }) => isChosen(clientId)).map((program) => () => tryProgram(program)),
  ...sdks.filter(({ id }) => isChosen(id)).map((sdk) => () => trySdk(sdk)),
]
const rows = await Promise.all(tries.map((one) => turns.run('', 0, one))).finally(service.stop)
const lines = [COLUMNS, COLUMNS.map(() => '---'), ...rows.map((row) => COLUMNS.map((column) => row[column] ?? ''))]
console.log(lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n'))

async function trySdk(sdk: Sdk): Promise<Row> {
  const proxy = startRecordingProxy(service.url)
  try {
    const seen = await sdk.run(`${proxy.url}/mcp`, await service.issueKey(sdk.id, 'other'), STEPS, PROMPTS)
    return { client: sdk.name, ...toCells(proxy.heard, seen), prompts: toPromptCell(seen.text) }
  } finally {
    proxy.stop()
  }
}

async function tryProgram(program: Program): Promise<Row> {
  const { clientId: id } = program
  const client = `${program.name} ${versionOf(program.package)}`
  const home = await mkdtemp(join(FOLDER, 'home-'))
  const work = join(home, 'work')
  await mkdir(work)
  const proxy = startRecordingProxy(service.url)
  const model = startScriptedModel(values.record && join(values.record, id))
  const key = await service.issueKey(id, id)
  const setup = findClientSetup(id, `${proxy.url}/mcp`, key)?.text ?? ''
  const place = { home, work, model: model.url, setup }
  const env = { ...toEnvironment(FOLDER, home), SVC_API_KEY: key, ...program.environment(place) }
  try {
    await setUp(program, place, env)
    const seen = model.begin(STEPS)
    const { said } = await runProgram(program.run(place, 'go on'), { cwd: work, env, timeoutMs: TIMEOUT_MS })
    if (seen.results.size === 0) console.error(`${program.name}: ${said.slice(-1_000)}`)
    return {
      client,
      ...toCells(proxy.heard, seen),
      prompts: await tryPrompts(program, { work, env }, { model, heard: proxy.heard }),
    }
  } catch (error) {
    return { client, revision: String(error).replaceAll(/\s+/g, ' ') }
  } finally {
    model.stop()
    proxy.stop()
    await endLeftovers(home)
    await rm(home, { recursive: true, force: true })
  }
}

/** Runs the prompts where the client can from a command line; otherwise tells whether it asked for their list. */
async function tryPrompts(
  { runPrompt }: Program,
  { work, env }: { work: string; env: Record<string, string> },
  { model, heard }: { model: ReturnType<typeof startScriptedModel>; heard: Heard },
): Promise<string> {
  if (runPrompt === undefined) return heard.methods.has('prompts/list') ? 'listed' : '–'
  const seen = model.begin([])
  for (const { name, value } of PROMPTS)
    await runProgram(runPrompt(name, value), { cwd: work, env, timeoutMs: TIMEOUT_MS })
  return toPromptCell(seen.text)
}

/** The names of the prompts whose texts came. */
function toPromptCell(text: string): string {
  if (text.includes(NO_PROMPTS)) return '–'
  const came = PROMPTS.filter(({ begin }) => text.includes(begin)).map(({ name }) => name)
  return came.join(', ') || 'no'
}

function toCells({ methods, revision }: Heard, { tools, results, text }: Omit<Seen, 'first'>): Row {
  const isConnected = methods.has('initialize') || methods.has('server/discover')
  const wanted = [...['remember', 'search', 'forget', 'validate_memory', 'gateway_call'].map(own), listed('echo')]
  const missing = wanted.filter((pattern) => !tools.some((name) => pattern.test(name)))
  const cells = STEPS.map(({ cell, isRight }) => [cell, toCell(results.get(cell), isRight)])
  return {
    revision: isConnected ? revision || 'yes' : 'not connected',
    list: missing.length === 0 ? 'yes' : `${wanted.length - missing.length} of ${wanted.length}`,
    'told of both': DESCRIPTIONS.every((description) => text.includes(description)) ? 'yes' : 'no',
    ...Object.fromEntries(cells),
  }
}

/** Results may be JSON within JSON. */
function toCell(result: string | undefined, isRight: (text: string) => boolean): string {
  if (result === undefined) return 'not called'
  const plain = result.replaceAll('\\', '').replaceAll(/\s+/g, ' ')
  return isRight(plain) ? 'yes' : `no: ${/timed? ?out|timeout/i.test(plain) ? 'gave up' : plain.slice(0, 60)}`
}
