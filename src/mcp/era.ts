import { ProtocolError } from '../errors.ts'
import { Code, isObject, type Params } from '../jsonrpc.ts'

/** Which of the two protocols a request speaks: with a handshake before it (which we do not ask for), or all in one. */
export type Era = 'handshake' | 'stateless'

/** Revisions with an `initialize` handshake, newest first. */
export const HANDSHAKE_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05']

/** The revision without one. */
export const STATELESS_VERSION = '2026-07-28'

const META = 'io.modelcontextprotocol/'
const VERSION = `${META}protocolVersion`

/** The era of a request. Throws ProtocolError where its headers and its `_meta` break the rules of MCP 2026-07-28. */
export function eraOf(method: string, params: Params, headers: Headers): Era {
  const header = headers.get('mcp-protocol-version')
  const meta = isObject(params._meta) ? params._meta : {}
  const claim = meta[VERSION]
  if (claim === undefined && (method === 'initialize' || header !== STATELESS_VERSION)) return handshake(header)
  if (typeof claim !== 'string') throw badMeta('protocolVersion', 'a string')
  if (header !== claim) throw mismatch('MCP-Protocol-Version', header, claim)
  if (claim !== STATELESS_VERSION) throw unsupported(claim)
  if (!isObject(meta[`${META}clientCapabilities`])) throw badMeta('clientCapabilities', 'an object')
  checkMirrors(method, params, headers)
  return 'stateless'
}

function handshake(header: string | null): Era {
  if (header === null || header === STATELESS_VERSION || HANDSHAKE_VERSIONS.includes(header)) return 'handshake'
  throw unsupported(header)
}

/** `Mcp-Method` and `Mcp-Name` repeat the body for intermediaries, so they must not say something else. */
function checkMirrors(method: string, params: Params, headers: Headers): void {
  const methodHeader = headers.get('mcp-method')
  if (methodHeader !== method) throw mismatch('Mcp-Method', methodHeader, method)
  if (method !== 'tools/call' || typeof params.name !== 'string') return
  const nameHeader = headers.get('mcp-name')
  if (nameHeader === null || decodeName(nameHeader) !== params.name) throw mismatch('Mcp-Name', nameHeader, params.name)
}

/** Names that a header cannot carry as they are come as `=?base64?...?=`; undefined when that is broken. */
function decodeName(header: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(header)?.[1]
  if (encoded === undefined) return header
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.fromBase64(encoded, { lastChunkHandling: 'strict' }))
  } catch {
    return undefined
  }
}

function badMeta(key: string, wanted: string): ProtocolError {
  return new ProtocolError(Code.invalidParams, `Invalid params: _meta["${META}${key}"] must be ${wanted}`, 400)
}

function mismatch(name: string, header: string | null, body: string): ProtocolError {
  const said = header === null ? 'is missing' : `says '${header}'`
  return new ProtocolError(Code.headerMismatch, `Header mismatch: ${name} ${said}, the body says '${body}'`, 400)
}

function unsupported(requested: string): ProtocolError {
  const data = { supported: [STATELESS_VERSION], requested }
  return new ProtocolError(Code.unsupportedVersion, `Unsupported protocol version: ${requested}`, 400, data)
}
