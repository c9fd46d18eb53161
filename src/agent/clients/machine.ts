import { join } from 'node:path'
import type { Environment } from '../config.ts'

/** The machine whose clients are configured. */
export type Machine = {
  environment: Environment
  /** Home folder of the user. */
  home: string
  platform: NodeJS.Platform
}

/** The platform's folder for application settings, on Linux, macOS or Windows. */
export function applicationFolder({ environment, home, platform }: Machine, ...names: string[]): string {
  if (platform === 'darwin') return join(home, 'Library', 'Application Support', ...names)
  if (platform === 'win32') return join(environment.APPDATA || join(home, 'AppData', 'Roaming'), ...names)
  return join(configFolder({ environment, home }), ...names)
}

type Home = Pick<Machine, 'environment' | 'home'>

/** The folders in which assistants keep their settings and their histories. */
export const claudeFolder = ({ environment, home }: Home) => environment.CLAUDE_CONFIG_DIR || join(home, '.claude')
export const codexFolder = ({ environment, home }: Home) => environment.CODEX_HOME || join(home, '.codex')
export const copilotFolder = ({ environment, home }: Home) => environment.COPILOT_HOME || join(home, '.copilot')
export const geminiFolder = ({ environment, home }: Home) => join(environment.GEMINI_CLI_HOME || home, '.gemini')

/** `~/.config`, or the value of `XDG_CONFIG_HOME`. */
export function configFolder({ environment, home }: Home): string {
  return environment.XDG_CONFIG_HOME || join(home, '.config')
}
