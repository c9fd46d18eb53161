import { join } from 'node:path'
import type { FileEdit } from './change.ts'
import type { FormatName, Slot } from './formats/settings.ts'
import type { HookCommands, HookNames } from './hooks.ts'

/** The machine whose clients are configured. */
export type Machine = {
  environment: Record<string, string | undefined>
  /** Home folder of the user. */
  home: string
  platform: NodeJS.Platform
}

/** How a client starts the agent. */
export type Launch = { command: string; args: string[]; variables: Record<string, string> }

/** How a client connects to the service directly. */
export type Remote = {
  /** Ends with `/mcp`. */
  url: string
  /** The value of the header `Authorization` after `Bearer `: a key, or the client's reference to the variable that holds it. */
  bearer: string
}

/** An MCP client: the location of its settings, and the form of a server's entry. */
export type Client = {
  /** Its name on the command line. */
  id: string
  name: string
  format: FormatName
  /** Its user-level settings file. */
  file: (machine: Machine) => string
  /** The slot of the server of this name in the file. */
  slot: (name: string) => Slot
  /** The path of the object that contains all servers by name. */
  servers: string[]
  /** The path of the settings of single folders in the same file, by folder; their servers take precedence over the user's. */
  folderSettings?: string
  /**
   * Returns the form in which a value of the settings refers to an environment variable of the client. Absent if there is none, so that keys are stored in
   * the settings themselves.
   */
  reference?: (variable: string) => string
  toStdio: (launch: Launch) => Record<string, unknown>
  /** Absent if the client supports only servers on standard input and output. */
  toHttp?: (remote: Remote) => Record<string, unknown>
  /** Its command on the PATH. */
  executable?: string
  /** Folders that exist if the client was installed or run. */
  folders: (machine: Machine) => string[]
  /** Arguments of the client's own command that adds a server. Values of variables are references, never keys. */
  addArguments?: (name: string, launch: Launch) => string[]
  /** How it runs commands at events of a session, if it can. */
  hooks?: {
    names: HookNames
    toEdits: (machine: Machine, commands: HookCommands) => FileEdit[]
    /** A note for the user after the hooks were written. */
    note?: string
  }
  /** A note for the user after the change. */
  note?: string
}

/** The name of the server in clients' settings. */
export const SERVER_NAME = 'memsvc'

/** An entry in the form of most clients. */
export function toEntry({ command, args, variables }: Launch): Record<string, unknown> {
  return { command, args, env: variables }
}

export function toUrlEntry({ url, bearer }: Remote): Record<string, unknown> {
  return { url, headers: { Authorization: `Bearer ${bearer}` } }
}

/** The platform's folder for application settings, on Linux, macOS or Windows. */
export function applicationFolder({ environment, home, platform }: Machine, ...names: string[]): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', ...names)
  if (platform === 'win32') return join(environment.APPDATA || join(home, 'AppData', 'Roaming'), ...names)
  return join(configFolder({ environment, home, platform }), ...names)
}

/** `~/.config`, or the value of `XDG_CONFIG_HOME`. */
export function configFolder({ environment, home }: Machine): string {
  return environment.XDG_CONFIG_HOME || join(home, '.config')
}
