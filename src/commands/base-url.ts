import type { Config } from '../config.ts'

/** Where a service of these settings is reached from its own machine: `http://127.0.0.1:8787`. */
export function toLocalUrl({ host }: Pick<Config, 'host'>, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** Where people reach the service: its public address or, where none is set, the one on its own machine. */
export function toBaseUrl(config: Pick<Config, 'host' | 'port' | 'publicUrl'>): string {
  return config.publicUrl ?? toLocalUrl(config, config.port)
}
