import { VERSION } from '../../version.ts'
import { MESSAGE_HEADERS } from '../service-client.ts'
import type { ClientMessage } from './message.ts'

/** What HTTP carries as it is: visible ASCII, with blanks only inside, and not in the form that stands for something else. */
const PLAIN = /^(?!=\?base64\?)[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/**
 * The headers of a posted message. In the stateless era they repeat what the body says (MCP 2026-07-28, Streamable HTTP); in the other, `agreedVersion` is what
 * `initialize` agreed on. The last one tells the service that its client is told when the list of tools changes.
 */
export function toHeaders({ method, name, version }: ClientMessage, agreedVersion: string | undefined): Record<string, string> {
  const headers: Record<string, string> = { ...MESSAGE_HEADERS, 'Memsvc-Agent': VERSION }
  if (version === undefined) return agreedVersion === undefined ? headers : { ...headers, 'MCP-Protocol-Version': agreedVersion }
  if (PLAIN.test(version)) headers['MCP-Protocol-Version'] = version
  if (method !== undefined) headers['Mcp-Method'] = toHeaderValue(method)
  if (name !== undefined) headers['Mcp-Name'] = toHeaderValue(name)
  return headers
}

function toHeaderValue(text: string): string {
  return PLAIN.test(text) ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}
