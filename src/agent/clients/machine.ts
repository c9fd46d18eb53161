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

/** `~/.config`, or the value of `XDG_CONFIG_HOME`. */
export function configFolder({ environment, home }: Pick<Machine, 'environment' | 'home'>): string {
  return environment.XDG_CONFIG_HOME || join(home, '.config')
}
