import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../errors.ts'
import { MCP_CLIENTS, type McpClient, type McpClientId } from '../../mcp-clients.ts'
import { type Hooks, hooksIn, pluginHooks, toHookGroup } from './hooks.ts'
import {
  applicationFolder,
  claudeFolder,
  codexFolder,
  configFolder,
  copilotFolder,
  geminiFolder,
  type Machine,
} from './machine.ts'

/** Where a client is on a machine, and what it can do there. */
type Place = {
  /** Its user-level settings file. */
  file: (machine: Machine) => string
  /** Folders that exist if the client was installed or run. */
  folders: (machine: Machine) => string[]
  /**
   * The member of its settings that contains those of single folders, by folder; their servers take precedence over the
   * user's.
   */
  folderSettings?: string
  /** Its command on the PATH. */
  executable?: string
  /** How it runs commands at events of a session, if it can. */
  hooks?: Hooks
  /** A note for the user after the change. */
  note?: string
}

/** A client that can be connected with one command. */
export type Client = McpClient & Place

const HOOK_TIMEOUT_S = 5

const qwen = ({ environment, home }: Machine) => environment.QWEN_HOME || join(home, '.qwen')
const cursor = ({ home }: Machine) => join(home, '.cursor')
const opencode = (machine: Machine) => join(configFolder(machine), 'opencode')
const clineCommand = ({ environment, home }: Machine) => environment.CLINE_DIR || join(home, '.cline')
const clineExtension = (machine: Machine) =>
  applicationFolder(machine, 'Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev')
const continueDev = ({ environment, home }: Machine) => environment.CONTINUE_GLOBAL_DIR || join(home, '.continue')
const windsurf = ({ home }: Machine) => join(home, '.codeium', 'windsurf')
/** Windsurf and its folder were renamed in 2026. */
const devin = (machine: Machine) =>
  machine.platform === 'win32' ? applicationFolder(machine, 'devin') : join(configFolder(machine), 'devin')
// These two keep their settings in `~/.config` on macOS too.
const zed = (machine: Machine) =>
  machine.platform === 'win32' ? applicationFolder(machine, 'Zed') : join(configFolder(machine), 'zed')
const goose = (machine: Machine) =>
  machine.platform === 'win32'
    ? applicationFolder(machine, 'Block', 'goose', 'config')
    : join(configFolder(machine), 'goose')

const PLACES: Record<McpClientId, Place> = {
  'claude-code': {
    file: ({ environment, home }) => join(environment.CLAUDE_CONFIG_DIR || home, '.claude.json'),
    folders: (machine) => [claudeFolder(machine)],
    folderSettings: 'projects',
    executable: 'claude',
    hooks: pluginHooks(
      (machine) => join(claudeFolder(machine), 'skills', 'memsvc'),
      { 'session-start': 'SessionStart', 'session-end': 'Stop' },
      (command) => toHookGroup(command, HOOK_TIMEOUT_S),
    ),
  },
  codex: {
    file: (machine) => join(codexFolder(machine), 'config.toml'),
    folders: (machine) => [codexFolder(machine)],
    executable: 'codex',
    hooks: {
      ...hooksIn(
        'codex',
        (machine) => join(codexFolder(machine), 'hooks.json'),
        { 'session-start': 'SessionStart', 'session-end': 'Stop' },
        (command) => toHookGroup(command, HOOK_TIMEOUT_S),
      ),
      note: 'Codex runs a new hook only after you have trusted it: type /hooks in Codex.',
    },
  },
  cursor: {
    file: (machine) => join(cursor(machine), 'mcp.json'),
    folders: (machine) => [cursor(machine)],
    executable: 'cursor',
    hooks: hooksIn(
      'cursor',
      (machine) => join(cursor(machine), 'hooks.json'),
      { 'session-start': 'sessionStart', 'session-end': 'stop' },
      (command) => ({ command, timeout: HOOK_TIMEOUT_S }),
      { version: 1 },
    ),
  },
  vscode: {
    file: (machine) => applicationFolder(machine, 'Code', 'User', 'mcp.json'),
    folders: (machine) => [applicationFolder(machine, 'Code')],
    executable: 'code',
  },
  gemini: {
    file: (machine) => join(geminiFolder(machine), 'settings.json'),
    folders: (machine) => [geminiFolder(machine)],
    executable: 'gemini',
    hooks: hooksIn(
      'gemini',
      (machine) => join(geminiFolder(machine), 'settings.json'),
      { 'session-start': 'SessionStart', 'session-end': 'AfterAgent' },
      (command) => toHookGroup(command, 1_000 * HOOK_TIMEOUT_S),
    ),
  },
  opencode: {
    // It reads both; the first that exists is used.
    file: (machine) => {
      const jsonc = join(opencode(machine), 'opencode.jsonc')
      return existsSync(jsonc) ? jsonc : join(opencode(machine), 'opencode.json')
    },
    folders: (machine) => [opencode(machine)],
    executable: 'opencode',
  },
  cline: {
    file: (machine) => {
      const isExtension = existsSync(clineExtension(machine)) && !existsSync(clineCommand(machine))
      const folder = isExtension ? clineExtension(machine) : join(clineCommand(machine), 'data')
      return join(folder, 'settings', 'cline_mcp_settings.json')
    },
    folders: (machine) => [clineCommand(machine), clineExtension(machine)],
    executable: 'cline',
  },
  continue: {
    file: (machine) => join(continueDev(machine), 'config.yaml'),
    folders: (machine) => [continueDev(machine)],
    executable: 'cn',
  },
  windsurf: {
    file: (machine) => {
      const isOlder = !existsSync(devin(machine)) && existsSync(windsurf(machine))
      return join(isOlder ? windsurf(machine) : devin(machine), 'mcp_config.json')
    },
    folders: (machine) => [devin(machine), windsurf(machine)],
    executable: 'windsurf',
  },
  zed: {
    file: (machine) => join(zed(machine), 'settings.json'),
    folders: (machine) => [zed(machine)],
    executable: 'zed',
  },
  'claude-desktop': {
    file: (machine) => applicationFolder(machine, 'Claude', 'claude_desktop_config.json'),
    folders: (machine) => [applicationFolder(machine, 'Claude')],
    note: 'Quit Claude Desktop and start it again.',
  },
  goose: {
    file: (machine) => join(goose(machine), 'config.yaml'),
    folders: (machine) => [goose(machine)],
    executable: 'goose',
  },
  copilot: {
    file: (machine) => join(copilotFolder(machine), 'mcp-config.json'),
    folders: (machine) => [copilotFolder(machine)],
    executable: 'copilot',
  },
  qwen: {
    file: (machine) => join(qwen(machine), 'settings.json'),
    folders: (machine) => [qwen(machine)],
    executable: 'qwen',
  },
  jetbrains: {
    file: ({ home }) => join(home, '.junie', 'mcp', 'mcp.json'),
    folders: (machine) => [join(machine.home, '.junie'), applicationFolder(machine, 'JetBrains')],
    note: "AI Assistant has no file for servers: paste what '--print' prints at Settings | Tools | AI Assistant | Model Context Protocol.",
  },
}

/** Every client that can be connected with one command, in the order of `memsvc client list`. */
export const CLIENTS: Client[] = MCP_CLIENTS.map((client) => ({ ...client, ...PLACES[client.id] }))

/** @throws Refusal for an id that no client has. */
export function requireClient(id: string): Client {
  const client = CLIENTS.find((one) => one.id === id)
  if (client === undefined)
    throw new Refusal(`'${id}' is no client that is known; known are ${CLIENTS.map(({ id }) => id).join(', ')}`)
  return client
}

/**
 * The path of a client's command, or the first of its folders that exists; undefined if the client seems not to be
 * installed.
 */
export function findInstalled(client: Client, machine: Machine): string | undefined {
  const { executable } = client
  const command = executable === undefined ? null : Bun.which(executable, { PATH: machine.environment.PATH ?? '' })
  return command ?? client.folders(machine).find((folder) => existsSync(folder))
}
