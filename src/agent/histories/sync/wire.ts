import { isObject } from '../../../jsonrpc.ts'
import { redactNotes } from '../../../secrets/redact.ts'
import { readObject, toBusy, toUnexpected } from '../../answer.ts'
import type { ServiceClient } from '../../service-client.ts'
import type { HistorySource } from '../source.ts'
import { Halt, type HaltReason } from './activity.ts'
import type { Target } from './target.ts'

/**
 * What the service has received of a history: the chained digest of all segments; and the number of lines that can be
 * read there.
 */
type Head = { chain: string; lines: number }

/** The same of a registered history. `erased` if its owner has erased it there, permanently. */
type RegisteredHead = Head & { sourceId: string; erased: boolean }

/** A part of a history that is sent in one request. */
export type Segment = {
  sourceId: string
  /** Whether it begins at the beginning of the history. */
  isFirst: boolean
  /** Lines, compressed. */
  body: Uint8Array<ArrayBuffer>
  /** SHA-256 of the lines, in base64. */
  digest: string
  /** Chained digest of what the service has received before. */
  chain: string
}

/** The service's response to a segment. */
export type Put =
  | { kind: 'stored'; head: Head }
  /** It has received something else since. */
  | { kind: 'gap'; chain: string }
  /** It does not know the history, which must be registered first. */
  | { kind: 'unknown' }
  /** It was erased there by its owner, permanently. */
  | { kind: 'erased' }
  /** It will never accept it. */
  | { kind: 'refused'; reason: string }

export type SyncClient = ReturnType<typeof createSyncClient>

/** The service refuses the description of a history, or of one of several. */
export class RefusedHistory extends Error {
  override readonly name = 'RefusedHistory'
}

export const MAX_SOURCES = 500
/**
 * Statuses of requests that the service will not accept however often they are sent, for instance because an older one
 * does not know an assistant.
 */
const REFUSALS = new Set([400, 413, 415])
const TIMEOUT_MS = 60_000

/** The upload API of one target. Every method throws Halt or ServiceError if the upload cannot continue. */
export function createSyncClient(client: ServiceClient, { projectId, holderId }: Target) {
  /** Registers at most MAX_SOURCES histories, and returns what the service has of each, in the same order. */
  async function readHeads(device: string, sources: HistorySource[]): Promise<RegisteredHead[]> {
    const body = JSON.stringify({
      project_id: projectId,
      holder_id: holderId,
      device,
      sources: (await redactNotes(sources)).map(toWire),
    })
    const headers = { 'Content-Type': 'application/json' }
    const answer = await client.send({
      method: 'POST',
      path: '/v1/sync/heads',
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      ownConnection: true,
    })
    const value = (await readObject(answer)) ?? {}
    if (answer.status === 200 && Array.isArray(value.heads)) return value.heads.map(toRegisteredHead)
    if (REFUSALS.has(answer.status)) throw new RefusedHistory(codeOf(value) ?? 'HTTP 400')
    throw toHaltOf(answer, value)
  }

  async function putSegment(segment: Segment): Promise<Put> {
    const { sourceId, isFirst, body, digest, chain } = segment
    const path = `/v1/sync/sources/${encodeURIComponent(sourceId)}/lines${isFirst ? '?first=yes' : ''}`
    const headers = {
      'Content-Type': 'application/x-ndjson',
      'Content-Encoding': 'zstd',
      'Content-Digest': `sha-256=:${digest}:`,
      'X-Memsvc-Chain': chain,
    }
    const answer = await client.send({ method: 'PUT', path, headers, body, timeoutMs: TIMEOUT_MS })
    return toPut(answer, (await readObject(answer)) ?? {})
  }

  /** Permanently erases a history at the service. */
  async function forget(sourceId: string): Promise<void> {
    const path = `/v1/sync/sources/${encodeURIComponent(sourceId)}/forget`
    const answer = await client.send({ method: 'POST', path, timeoutMs: TIMEOUT_MS, ownConnection: true })
    const value = (await readObject(answer)) ?? {}
    if (answer.status !== 200 || value.forgotten !== true) throw toHaltOf(answer, value)
  }

  return { readHeads, putSegment, forget }
}

function toPut(answer: Response, value: Record<string, unknown>): Put {
  const { status } = answer
  if (status === 200 || status === 201) return { kind: 'stored', head: toHead(value) }
  if (status === 409) return { kind: 'gap', chain: toChain(value) }
  if (status === 404) return { kind: 'unknown' }
  if (status === 410) return { kind: 'erased' }
  if (status === 400 || status === 413 || status === 415 || status === 422)
    return { kind: 'refused', reason: codeOf(value) ?? `HTTP ${status}` }
  throw toHaltOf(answer, value)
}

const REASONS: Record<string, HaltReason> = {
  subscription: 'subscription_inactive',
  read_only: 'read_only',
  quota: 'quota',
  hosted_connection: 'hosted_connection',
  not_agreed: 'other_holder',
}

function toHaltOf(answer: Response, { error }: Record<string, unknown>): unknown {
  const { status } = answer
  const said = isObject(error) && typeof error.message === 'string' ? error.message : `HTTP ${status}`
  if (status === 429 || status === 503) return toBusy(answer)
  if (status === 402) return new Halt('paused', 'subscription_inactive', said)
  if (status === 403) return new Halt('paused', REASONS[codeOf({ error }) ?? ''] ?? 'read_only', said)
  if (status === 404 || status === 405)
    return new Halt(
      'error',
      'not_supported_by_service',
      'The service does not accept session histories; it may be an older version.',
    )
  return toUnexpected(answer)
}

const codeOf = ({ error }: Record<string, unknown>) =>
  isObject(error) && typeof error.code === 'string' ? error.code : undefined

function toChain(value: unknown): string {
  if (isObject(value) && typeof value.chain === 'string') return value.chain
  throw unreadable()
}

function toHead(value: unknown): Head {
  if (isObject(value) && typeof value.lines === 'number') return { chain: toChain(value), lines: value.lines }
  throw unreadable()
}

function toRegisteredHead(value: unknown): RegisteredHead {
  if (isObject(value) && typeof value.source_id === 'string' && typeof value.erased === 'boolean')
    return { ...toHead(value), sourceId: value.source_id, erased: value.erased }
  throw unreadable()
}

const unreadable = () => new Halt('backing_off', 'offline', 'The service gave an answer that cannot be read.')

/**
 * The description of a history for the service; of its location only the session's folder. Credentials were removed
 * from it.
 */
function toWire({
  assistant,
  sourceKey,
  sessionId,
  kind,
  parentSessionId,
  cwd,
  gitBranch,
  appVersion,
  firstAt,
  lastAt,
}: HistorySource) {
  return {
    assistant,
    source_key: sourceKey,
    session_id: sessionId,
    kind,
    parent_session_id: parentSessionId,
    cwd: cwd ?? undefined,
    git_branch: gitBranch,
    app_version: appVersion,
    first_at: firstAt,
    last_at: lastAt,
  }
}
