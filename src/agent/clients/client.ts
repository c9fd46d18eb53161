import { join } from 'node:path'
import type { FileEdit } from './change.ts'
import type { FormatName, Slot } from './formats/settings.ts'
import type { HookCommands, HookNames } from './hooks.ts'

/** The machine on which clients are looked for. */
export type Machine = {
  environment: Record<string, string | undefined>
  /** Home folder of the person. */
  home: string
  platform: NodeJS.Platform
}

/** How a client starts the agent. */
export type Launch = { command: string; args: string[]; variables: Record<string, string> }

/** How a client asks the service itself. */
export type Remote = {
  /** With `/mcp` at its end. */
  url: string
  /** Of the header `Authorization`, after `Bearer `: a key, or how the client names the variable that holds it. */
  bearer: string
}

/** A program that speaks MCP: where its settings are, and how a server stands in them. */
export type Client = {
  /** As the command line calls it. */
  id: string
  name: string
  format: FormatName
  /** Its settings for all projects of the person. */
  file: (machine: Machine) => string
  /** Where the server of this name stands in the file. */
  slot: (name: string) => Slot
  /** Where every server stands, by name. */
  servers: string[]
  /** Where settings of single folders stand in the same file, by folder; servers in them go before those of the person. */
  folderSettings?: string
  /** How a value of the settings names a variable of the client's environment. Absent where no such form is known, so that keys stand there themselves. */
  reference?: (variable: string) => string
  toStdio: (launch: Launch) => Record<string, unknown>
  /** Absent where the client starts programs only. */
  toHttp?: (remote: Remote) => Record<string, unknown>
  /** Its command on the PATH. */
  executable?: string
  /** Folders that are there when the client was installed or run. */
  folders: (machine: Machine) => string[]
  /** Arguments of its own command that adds a server. Values of variables are references, never keys. */
  addArguments?: (name: string, launch: Launch) => string[]
  /** How it runs commands at events of a session, where it can. */
  hooks?: {
    names: HookNames
    toEdits: (machine: Machine, commands: HookCommands) => FileEdit[]
    /** What a person has to know after the hooks were written. */
    note?: string
  }
  /** What a person has to know after the change. */
  note?: string
}

/** The name under which clients know the service. */
export const SERVER_NAME = 'memsvc'

/** An entry as most clients write it. */
export function toEntry({ command, args, variables }: Launch): Record<string, unknown> {
  return { command, args, env: variables }
}

export function toUrlEntry({ url, bearer }: Remote): Record<string, unknown> {
  return { url, headers: { Authorization: `Bearer ${bearer}` } }
}

/** A folder that programs keep settings in: that of a Linux desktop, of macOS, or of Windows. */
export function applicationFolder({ environment, home, platform }: Machine, ...names: string[]): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', ...names)
  if (platform === 'win32') return join(environment.APPDATA || join(home, 'AppData', 'Roaming'), ...names)
  return join(configFolder({ environment, home, platform }), ...names)
}

/** `~/.config`, or what `XDG_CONFIG_HOME` says. */
export function configFolder({ environment, home }: Machine): string {
  return environment.XDG_CONFIG_HOME || join(home, '.config')
}
