import type { Config } from '../config.ts'

/** The URL of the service on its own machine, such as `http://127.0.0.1:8787`. */
export function toLocalUrl({ host }: Pick<Config, 'host'>, port: number): string {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host
  return `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`
}

/** The URL under which people reach the service: the public URL or, without one, the address on its own machine. */
export function toBaseUrl(config: Pick<Config, 'host' | 'port' | 'publicUrl'>): string {
  return config.publicUrl ?? toLocalUrl(config, config.port)
}
