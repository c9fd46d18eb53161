import type { Caller } from '../account/auth/caller.ts'
import { ProtocolError } from '../errors.ts'
import { Code, type Params, type ResultText, withMembers } from '../jsonrpc.ts'
import { HANDSHAKE_VERSIONS, STATELESS_VERSION } from '../protocol-versions.ts'
import type { Service } from '../service.ts'
import { callTool } from './call.ts'
import { listTools } from './catalogue.ts'
import type { Era } from './era.ts'
import { LISTED_PROMPTS, renderPrompt } from './prompts.ts'
import type { McpRequest, Method } from './request.ts'

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
  if (cursor !== undefined)
    throw new ProtocolError(Code.invalidParams, 'Invalid params: cursor is not one of ours; the list has one page')
}

function toResult(result: object): ResultText {
  return { text: JSON.stringify(result) }
}
