import { VERSION } from '../../version.ts'
import { MESSAGE_HEADERS } from '../service-client.ts'
import type { ClientMessage } from './message.ts'

/** Values that need no encoding in a header: visible ASCII with inner spaces, and not in the form of an encoded value. */
const PLAIN = /^(?!=\?base64\?)[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/**
 * The headers of a posted message. In the stateless era they repeat parts of the body (MCP 2026-07-28, Streamable HTTP); in the other, `agreedVersion` is the
 * one negotiated by `initialize`. The last header tells the service that its client is notified of changes of the list of tools.
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
