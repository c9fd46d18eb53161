import type { Caller } from '../account/auth/caller.ts'
import { ProtocolError } from '../errors.ts'
import { Code, isObject, type Params, type ResultText, withMembers } from '../jsonrpc.ts'
import { HANDSHAKE_VERSIONS, META_PREFIX, STATELESS_VERSION, VERSION_KEY } from '../protocol-versions.ts'
import type { Service } from '../service.ts'
import { callTool } from './call.ts'
import { listTools } from './catalogue.ts'
import { LISTED_PROMPTS, renderPrompt } from './prompts.ts'
import type { McpRequest, Method } from './request.ts'

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

/**
 * How long a client of the stateless era may cache the list of tools and the description of the server, in
 * milliseconds.
 */
const LIST_TTL_MS = 60_000
const DISCOVER_TTL_MS = 3_600_000

/** Sent by the local agent, which tells its client when the list of tools has changed. */
const AGENT_HEADER = 'memsvc-agent'

const INSTRUCTIONS =
  'Memory of this project, shared by all its assistants. ' +
  'Call search with workspace "*" before you answer a question about the project or begin a task in it. ' +
  'Call remember when something was decided or learned that will matter later.'

/** The methods of each era by name. A method that is not here is answered with -32601. */
export const METHODS: Record<Era, ReadonlyMap<string, Method>> = {
  handshake: new Map<string, Method>([
    ['initialize', initialize],
    ['ping', () => ({ text: '{}' })],
    ['tools/list', list],
    ['tools/call', callTool],
    ['prompts/list', listPrompts],
    ['prompts/get', getPrompt],
  ]),
  stateless: new Map<string, Method>([
    ['server/discover', discover],
    ['tools/list', withTtl(list)],
    ['tools/call', callTool],
    ['prompts/list', withTtl(listPrompts)],
    ['prompts/get', getPrompt],
  ]),
}

/** Methods that hosted assistants do not have, since they get the memory tools only. */
export const KEYED_METHODS = ['prompts/list', 'prompts/get']

export function serverInfo(service: Service): { name: string; version: string } {
  return { name: 'memsvc', version: service.version }
}

/** Agrees to the revision that the client asks for, or offers the newest one with a handshake. */
function initialize({ service, caller, params, headers }: McpRequest): ResultText {
  const { protocolVersion } = params
  if (typeof protocolVersion !== 'string')
    throw new ProtocolError(Code.invalidParams, 'Invalid params: protocolVersion must be a string')
  const agreed = HANDSHAKE_VERSIONS.includes(protocolVersion) ? protocolVersion : HANDSHAKE_VERSIONS[0]
  return toResult({
    protocolVersion: agreed,
    capabilities: capabilitiesFor(caller, headers.has(AGENT_HEADER)),
    serverInfo: serverInfo(service),
    instructions: INSTRUCTIONS,
  })
}

function discover({ caller }: McpRequest): ResultText {
  const supportedVersions = [STATELESS_VERSION]
  return toResult({
    supportedVersions,
    capabilities: capabilitiesFor(caller),
    instructions: INSTRUCTIONS,
    ttlMs: DISCOVER_TTL_MS,
    cacheScope: 'private',
  })
}

/**
 * Only a connection through the local agent announces `listChanged`: the service has no stream on which to notify
 * clients, but the agent notifies its client itself and forwards these capabilities unchanged.
 */
function capabilitiesFor({ hosted }: Caller, hasAgent = false) {
  const tools = hasAgent ? { listChanged: true } : {}
  return hosted ? { tools } : { tools, prompts: {} }
}

async function list({ catalogue, caller, params }: McpRequest): Promise<ResultText> {
  requireFirstPage(params)
  return { text: `{"tools":[${await listTools(catalogue, caller)}]}` }
}

function withTtl(list: (request: McpRequest) => ResultText | Promise<ResultText>): Method {
  return async (request) => {
    const { text } = await list(request)
    return { text: withMembers(text, { ttlMs: LIST_TTL_MS, cacheScope: 'private' }) }
  }
}

function listPrompts({ params }: McpRequest): ResultText {
  requireFirstPage(params)
  return toResult({ prompts: LISTED_PROMPTS })
}

function getPrompt({ params }: McpRequest): ResultText {
  return toResult(renderPrompt(params))
}

/** Throws ProtocolError for a cursor, since no list has a second page. */
function requireFirstPage({ cursor }: Params): void {
  if (cursor !== undefined && cursor !== null)
    throw new ProtocolError(Code.invalidParams, 'Invalid params: cursor is not one of ours; the list has one page')
}

function toResult(result: object): ResultText {
  return { text: JSON.stringify(result) }
}
