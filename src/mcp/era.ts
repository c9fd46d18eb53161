import { ProtocolError } from '../errors.ts'
import { Code, isObject, type Params } from '../jsonrpc.ts'
import { HANDSHAKE_VERSIONS, META_PREFIX, STATELESS_VERSION, VERSION_KEY } from '../protocol-versions.ts'

/**
 * The two eras of the protocol: revisions with an `initialize` handshake (which this server does not insist on), and
 * the one without.
 */
export type Era = 'handshake' | 'stateless'

/**
 * The era of a request. Throws ProtocolError for an unknown revision, and where headers and `_meta` break the rules of
 * MCP 2026-07-28.
 */
export function eraOf(method: string, params: Params, headers: Headers): Era {
  const header = headers.get('mcp-protocol-version')
  const meta = isObject(params._meta) ? params._meta : {}
  const claimed = meta[VERSION_KEY]
  if (claimed === undefined && (method === 'initialize' || header !== STATELESS_VERSION))
    return requireHandshakeVersion(header)
  if (typeof claimed !== 'string') throw invalidMeta('protocolVersion', 'a string')
  if (header !== claimed) throw mismatch('MCP-Protocol-Version', header, claimed)
  if (claimed !== STATELESS_VERSION) throw unsupported(claimed)
  if (!isObject(meta[`${META_PREFIX}clientCapabilities`])) throw invalidMeta('clientCapabilities', 'an object')
  requireMirrored(method, params, headers)
  return 'stateless'
}

function requireHandshakeVersion(header: string | null): Era {
  if (header === null || header === STATELESS_VERSION || HANDSHAKE_VERSIONS.includes(header)) return 'handshake'
  throw unsupported(header)
}

/** Methods whose `params.name` is repeated in `Mcp-Name`. */
const NAMED_METHODS = ['tools/call', 'prompts/get']

/** `Mcp-Method` and `Mcp-Name` repeat the body for intermediaries. Throws ProtocolError if they differ from it. */
function requireMirrored(method: string, params: Params, headers: Headers): void {
  const methodHeader = headers.get('mcp-method')
  if (methodHeader !== method) throw mismatch('Mcp-Method', methodHeader, method)
  if (!NAMED_METHODS.includes(method) || typeof params.name !== 'string') return
  const nameHeader = headers.get('mcp-name')
  if (nameHeader === null || decodeName(nameHeader) !== params.name) throw mismatch('Mcp-Name', nameHeader, params.name)
}

/** Decodes `=?base64?…?=`, the form of names that a header cannot carry otherwise; undefined when it is malformed. */
function decodeName(header: string): string | undefined {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(header)?.[1]
  if (encoded === undefined) return header
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(
      Uint8Array.fromBase64(encoded, { lastChunkHandling: 'strict' }),
    )
  } catch {
    return undefined
  }
}

function invalidMeta(key: string, expected: string): ProtocolError {
  return new ProtocolError(Code.invalidParams, `Invalid params: _meta["${META_PREFIX}${key}"] must be ${expected}`, 400)
}

function mismatch(name: string, header: string | null, body: string): ProtocolError {
  const said = header === null ? 'is missing' : `says '${header}'`
  return new ProtocolError(Code.headerMismatch, `Header mismatch: ${name} ${said}, the body says '${body}'`, 400)
}

function unsupported(requested: string): ProtocolError {
  const data = { supported: [STATELESS_VERSION], requested }
  return new ProtocolError(Code.unsupportedVersion, `Unsupported protocol version: ${requested}`, 400, data)
}
