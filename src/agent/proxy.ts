import { isLoopback } from '../loopback.ts'
import type { Environment } from './config.ts'

/** The variables from which the runtime takes a proxy: for https, and those that are for plain http alone. */
const FOR_HTTPS = ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'all_proxy']
const FOR_HTTP = ['HTTP_PROXY', 'http_proxy']

/**
 * Whether a service is called without a proxy, whatever the environment says: on this machine, where none is needed,
 * and over plain http, where a proxy would read the key.
 */
export function isCalledDirectly(baseUrl: string): boolean {
  const { protocol, host } = new URL(baseUrl)
  return protocol === 'http:' || isLoopback(host)
}

/** The names of the set variables that name a proxy for this service, or would if it were not called directly. */
export function listProxyVariables(environment: Environment, baseUrl: string): string[] {
  const names = isCalledDirectly(baseUrl) ? [...FOR_HTTP, ...FOR_HTTPS] : FOR_HTTPS
  return names.filter((name) => environment[name])
}
