import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { Refusal } from '../../errors.ts'
import { MCP_CLIENTS, type McpClient, type McpClientId } from '../../mcp-clients.ts'
import { CLAUDE_CODE_HOOKS, HOOK_TIMEOUT_S, type Hooks, hooksIn, toHookGroup } from './hooks.ts'
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

/** A folder in `~/.config`, on macOS too; on Windows in the folder of applications. */
const inConfig =
  (name: string, ...onWindows: string[]) =>
  (machine: Machine) =>
    machine.platform === 'win32' ? applicationFolder(machine, ...onWindows) : join(configFolder(machine), name)

const clineCommand = ({ environment, home }: Machine) => environment.CLINE_DIR || join(home, '.cline')
const clineExtension = (machine: Machine) =>
  applicationFolder(machine, 'Code', 'User', 'globalStorage', 'saoudrizwan.claude-dev')
const cursor = ({ home }: Machine) => join(home, '.cursor')
const opencode = (machine: Machine) => join(configFolder(machine), 'opencode')
const windsurf = ({ home }: Machine) => join(home, '.codeium', 'windsurf')
/** Windsurf and its folder were renamed in 2026. */
const devin = inConfig('devin', 'devin')

/** The place of a client that has all in one folder, with the path of its settings file there. */
const inFolder = (folder: (machine: Machine) => string, ...path: string[]): Pick<Place, 'file' | 'folders'> => ({
  file: (machine) => join(folder(machine), ...path),
  folders: (machine) => [folder(machine)],
})

const PLACES: Record<McpClientId, Place> = {
  'claude-code': {
    file: ({ environment, home }) => join(environment.CLAUDE_CONFIG_DIR || home, '.claude.json'),
    folders: (machine) => [claudeFolder(machine)],
    folderSettings: 'projects',
    executable: 'claude',
    hooks: CLAUDE_CODE_HOOKS,
  },
  codex: {
    ...inFolder(codexFolder, 'config.toml'),
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
    ...inFolder(cursor, 'mcp.json'),
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
    ...inFolder((machine) => applicationFolder(machine, 'Code'), 'User', 'mcp.json'),
    executable: 'code',
  },
  gemini: {
    ...inFolder(geminiFolder, 'settings.json'),
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
    ...inFolder(({ environment, home }) => environment.CONTINUE_GLOBAL_DIR || join(home, '.continue'), 'config.yaml'),
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
    ...inFolder(inConfig('zed', 'Zed'), 'settings.json'),
    executable: 'zed',
  },
  'claude-desktop': {
    ...inFolder((machine) => applicationFolder(machine, 'Claude'), 'claude_desktop_config.json'),
    note: 'Quit Claude Desktop and start it again.',
  },
  goose: {
    ...inFolder(inConfig('goose', 'Block', 'goose', 'config'), 'config.yaml'),
    executable: 'goose',
  },
  copilot: {
    ...inFolder(copilotFolder, 'mcp-config.json'),
    executable: 'copilot',
  },
  qwen: {
    ...inFolder(({ environment, home }) => environment.QWEN_HOME || join(home, '.qwen'), 'settings.json'),
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
