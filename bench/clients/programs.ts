import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/**
 * Where a client runs: its empty home, the folder it works in, the endpoints that it is given, and the lines that
 * connect it.
 */
export type Place = { home: string; work: string; model: string; setup: string }

/**
 * A command-line client: its package, how it is configured in an empty home, and how it is run with one request, or
 * with a prompt of the service.
 */
export type Program = {
  clientId: string
  name: string
  package: string
  environment: (place: Place) => Record<string, string>
  /** Files beside what the set-up line makes, by their paths below the home. */
  files?: (place: Place) => Record<string, string>
  /** A command that tells it of its model. */
  prepare?: (place: Place) => string[]
  /** Whether the set-up is a command; otherwise it is part of `files`. */
  isSetUpByCommand: boolean
  /** One session in which a person says this. */
  run: (place: Place, said: string) => string[]
  /**
   * Runs a prompt of the service with the value of its argument; undefined where the client cannot do that from a
   * command line.
   */
  runPrompt?: (name: string, value: string) => string[]
}

const MODEL_KEY = 'not-a-real-key'

export const PROGRAMS: Program[] = [
  {
    clientId: 'claude-code',
    name: 'Claude Code',
    package: '@anthropic-ai/claude-code@2.1.332',
    isSetUpByCommand: true,
    environment: ({ model }) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: MODEL_KEY,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    run: (_, said) => ['claude', '-p', said, '--allowedTools', 'mcp__memsvc,Bash'],
    runPrompt: (name, value) => ['claude', '-p', `/mcp__memsvc__${name} ${value}`],
  },
  {
    clientId: 'codex',
    name: 'Codex',
    package: '@openai/codex@0.171.0',
    isSetUpByCommand: true,
    environment: () => ({ SCRIPTED_KEY: MODEL_KEY }),
    files: ({ model }) => ({
      '.codex/config.toml': `model = "scripted"
model_provider = "scripted"
[model_providers.scripted]
name = "scripted"
base_url = "${model}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
`,
    }),
    run: (_, said) => ['codex', 'exec', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', said],
  },
  {
    clientId: 'gemini',
    name: 'Gemini CLI',
    package: '@google/gemini-cli@0.61.0',
    isSetUpByCommand: true,
    environment: ({ model }) => ({
      GEMINI_API_KEY: MODEL_KEY,
      GOOGLE_GEMINI_BASE_URL: model,
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    }),
    files: () => ({
      '.gemini/settings.json': JSON.stringify({ security: { auth: { selectedType: 'gemini-api-key' } } }),
    }),
    run: (_, said) => ['gemini', '-m', 'gemini-2.5-pro', '--yolo', '-p', said],
    runPrompt: (name, value) => ['gemini', '-m', 'gemini-2.5-pro', '--yolo', '-p', `/${name} ${value}`],
  },
  {
    clientId: 'opencode',
    name: 'opencode',
    package: 'opencode-ai@1.18.33',
    isSetUpByCommand: true,
    environment: ({ model }) => ({
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        model: 'scripted/scripted',
        provider: {
          scripted: {
            npm: '@ai-sdk/openai-compatible',
            name: 'scripted',
            options: { baseURL: `${model}/v1`, apiKey: MODEL_KEY },
            models: { scripted: { name: 'scripted', tool_call: true } },
          },
        },
      }),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
    }),
    run: (_, said) => ['opencode', 'run', said],
    runPrompt: (name, value) => ['opencode', 'run', '--command', `memsvc:${name}`, value],
  },
  {
    clientId: 'cline',
    name: 'Cline',
    package: 'cline@3.0.65',
    isSetUpByCommand: true,
    environment: () => ({}),
    prepare: ({ model }) => ['cline', 'auth', '-p', 'openai', '-k', MODEL_KEY, '-m', 'scripted', '-b', `${model}/v1`],
    run: (_, said) => ['cline', '--auto-approve', 'true', '--json', said],
  },
  {
    clientId: 'copilot',
    name: 'Copilot CLI',
    package: '@github/copilot@1.0.102',
    isSetUpByCommand: false,
    environment: ({ model }) => ({
      COPILOT_PROVIDER_BASE_URL: `${model}/v1`,
      COPILOT_PROVIDER_API_KEY: MODEL_KEY,
      COPILOT_MODEL: 'scripted',
      COPILOT_OFFLINE: 'true',
    }),
    files: ({ setup }): Record<string, string> => (setup === '' ? {} : { '.copilot/mcp-config.json': setup }),
    run: (_, said) => ['copilot', '-p', said, '--allow-all-tools'],
  },
  {
    clientId: 'qwen',
    name: 'Qwen Code',
    package: '@qwen-code/qwen-code@0.24.4',
    isSetUpByCommand: false,
    environment: ({ model }) => ({
      OPENAI_API_KEY: MODEL_KEY,
      OPENAI_BASE_URL: `${model}/v1`,
      OPENAI_MODEL: 'scripted',
    }),
    files: ({ setup }) => ({
      '.qwen/settings.json': JSON.stringify({
        security: { auth: { selectedType: 'openai' } },
        ...(setup === '' ? {} : JSON.parse(setup)),
      }),
    }),
    run: (_, said) => ['qwen', '--yolo', '-p', said],
  },
  {
    clientId: 'continue',
    name: 'Continue',
    package: '@continuedev/cli@1.5.47',
    isSetUpByCommand: false,
    environment: () => ({ CONTINUE_TELEMETRY_ENABLED: '0' }),
    files: ({ model, setup }) => ({
      '.continue/config.yaml': `name: scripted
version: 1.0.0
schema: v1
models:
  - name: scripted
    provider: openai
    model: scripted
    apiBase: ${model}/v1
    apiKey: ${MODEL_KEY}
    roles: [chat]
    capabilities: [tool_use]
${setup}
`,
    }),
    run: ({ home }, said) => ['cn', '-p', said, '--auto', '--config', join(home, '.continue/config.yaml')],
  },
]

/** Prepares the home of a client: its files, its model, then what its set-up line makes. */
export async function setUp(program: Program, place: Place, environment: Record<string, string>): Promise<void> {
  for (const [path, text] of Object.entries(program.files?.(place) ?? {})) {
    await mkdir(dirname(join(place.home, path)), { recursive: true })
    await writeFile(join(place.home, path), text)
  }
  const commands = [program.prepare?.(place), program.isSetUpByCommand ? ['sh', '-c', place.setup] : undefined]
  for (const command of commands.filter((one) => one !== undefined)) {
    const { status, said } = await runProgram(command, { cwd: place.work, env: environment, timeoutMs: 180_000 })
    if (status !== 0) throw new Error(`${program.name} could not be set up: ${said.slice(-500)}`)
  }
}

/** Ends what a client has left running in the background, which is told by its command line naming this home. */
export async function endLeftovers(home: string): Promise<void> {
  for (const pid of (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))) {
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    if (command.includes(home)) endProcess(Number(pid))
  }
}

function endProcess(pid: number): void {
  try {
    process.kill(pid)
  } catch {
    // It has ended by itself.
  }
}

/** Runs a command with nothing on its standard input. Status is null where it took too long and was ended. */
export async function runProgram(
  command: string[],
  { cwd, env, timeoutMs }: { cwd: string; env: Record<string, string>; timeoutMs: number },
) {
  const ran = Bun.spawn(command, { cwd, env, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe', timeout: timeoutMs })
  const [out, err] = await Promise.all([new Response(ran.stdout).text(), new Response(ran.stderr).text()])
  await ran.exited
  return { status: ran.exitCode, said: out + err }
}
