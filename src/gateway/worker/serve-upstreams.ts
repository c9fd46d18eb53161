import { OutboundError } from '../../errors.ts'
import type { Params } from '../../jsonrpc.ts'
import type { Outbound } from '../../outbound/outbound.ts'
import type { CallRequest, Failure, FromWorker, ToWorker, UpstreamRequest, UpstreamResult, UpstreamTarget } from '../messages.ts'
import { type Progress, readProgress } from '../progress.ts'
import { describeFailure } from './describe-failure.ts'
import { createMemoryBudget, createReservation, type Reservation } from './memory-budget.ts'
import { createScrub, type Scrub } from './scrub.ts'
import { type FindMarks, toToolResult } from './tool-result.ts'
import { createUpstream, type RequestScope, type Upstream } from './upstream.ts'

type WorkerDeps = {
  /** `moved` are buffers of the message to transfer instead of copying. */
  post: (message: FromWorker, moved?: ArrayBuffer[]) => void
  findMarks: FindMarks
  /** Throws a Refusal that names a wrong entry of the list. */
  openOutbound: (allow: string[]) => Outbound
  collectGarbage: () => void
  /** Called when all connections are closed. */
  exit: () => void
}

type Connected = { upstream: Upstream; scrub: Scrub }
/** `unread` is the part of a large result that has not been pulled yet, without its closing brace. */
type Pending = {
  controller: AbortController
  reservation: Reservation
  unread: string
  readTimer: ReturnType<typeof setTimeout> | undefined
}

/** Minimum time between two forwarded notifications of an upstream. */
const LIST_CHANGED_INTERVAL_MS = 5_000
/** Minimum time between two forwarded progress reports of a call. */
const PROGRESS_INTERVAL_MS = 1_000
const CLOSE_TIMEOUT_MS = 1_000
/** How long a large answer may take to arrive once it has its permit, since others wait for that. */
const MAX_LARGE_ANSWER_MS = 30_000
const CHUNK_CHARACTERS = 131_072

/** The worker's side of `UpstreamWorker`: calls all upstreams. Returns the handler of messages from the service. */
export function serveUpstreams({ post, findMarks, openOutbound, collectGarbage, exit }: WorkerDeps): (message: ToWorker) => void {
  const connections = new Map<number, Connected>()
  const pending = new Map<number, Pending>()
  const memory = createMemoryBudget()
  let outbound: Outbound | undefined

  function connectionFor(target: UpstreamTarget): Connected {
    const known = connections.get(target.connectionId)
    if (known !== undefined) return known
    outbound ??= openOutbound([])
    const upstream = createUpstream(outbound, target, createListChangedNotifier(target))
    const connected = { upstream, scrub: createScrub(target.url, target.headers) }
    connections.set(target.connectionId, connected)
    return connected
  }

  function createListChangedNotifier({ connectionId }: UpstreamTarget): () => void {
    let notifiedAt = Number.NEGATIVE_INFINITY
    return () => {
      const now = performance.now()
      if (now - notifiedAt < LIST_CHANGED_INTERVAL_MS) return
      notifiedAt = now
      post({ kind: 'list-changed', connectionId })
    }
  }

  /** Forwards the latest report, at most once per interval. */
  function createProgressNotifier(id: number): (report: Params) => void {
    let latest: Progress | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const notify = () => {
      timer = undefined
      if (latest === undefined || !pending.has(id)) return
      post({ kind: 'progress', id, progress: latest })
      latest = undefined
      timer = setTimeout(notify, PROGRESS_INTERVAL_MS)
    }
    return (report) => {
      latest = readProgress(report) ?? latest
      if (timer === undefined) notify()
    }
  }

  async function handleRequest(id: number, request: UpstreamRequest): Promise<void> {
    const { upstream, scrub } = connectionFor(request.target)
    const controller = new AbortController()
    const hooks = { onLarge: () => startReadTimer(id), collectGarbage }
    const reservation = createReservation(memory, request.target.accountId, controller.signal, hooks)
    const scope = { signal: controller.signal, reservation }
    pending.set(id, { controller, reservation, unread: '', readTimer: undefined })
    try {
      const result = request.kind === 'call' ? await call(id, upstream, request, scope) : await list(upstream, scope)
      post({ kind: 'result', id, result })
      if (result.kind === 'list' || result.text !== undefined) release(id)
    } catch (error) {
      const isUnknownTool = (error as { code?: unknown }).code === -32602
      const failure = await withoutInstructions(describeFailure(scrub, error))
      post({ kind: 'failure', id, failure, isUnknownTool, ...upstream.negotiated() })
      release(id)
    }
  }

  /** Removes an error text that resembles instructions, since models read it too. */
  async function withoutInstructions(failure: Failure): Promise<Failure> {
    const marks = failure.kind === 'protocol' ? await findMarks([failure], undefined) : undefined
    if (marks?.['memsvc/guard'] === undefined) return failure
    return { ...failure, text: 'it answered with an error whose text is left out, since it reads like instructions to an assistant' }
  }

  function startReadTimer(id: number): void {
    const own = pending.get(id)
    if (own === undefined) return
    own.readTimer = setTimeout(() => own.controller.abort(new OutboundError('timeout', MAX_LARGE_ANSWER_MS)), MAX_LARGE_ANSWER_MS)
  }

  async function call(id: number, upstream: Upstream, request: CallRequest, scope: RequestScope): Promise<UpstreamResult> {
    const { reservation } = scope
    const tool = { name: request.tool, schema: request.schema === undefined ? undefined : (JSON.parse(request.schema) as Params) }
    const onProgress = request.reportsProgress ? createProgressNotifier(id) : undefined
    const { answer, bytes } = await upstream.call(tool, JSON.parse(request.args) as Params, { ...scope, onProgress })
    reservation.collectGarbage()
    const { text, meta, isError } = await toToolResult(answer, request.markField, findMarks)
    await reservation.reserve(text.length)
    const own = pending.get(id)
    clearTimeout(own?.readTimer)
    if (own === undefined || !reservation.isHeld()) return { kind: 'call', text, meta, isError, bytes }
    own.unread = text.slice(0, -1)
    return { kind: 'call', text: undefined, meta, isError, bytes }
  }

  function postChunk(id: number): void {
    const own = pending.get(id)
    const chunk = own?.unread.slice(0, endOfChunk(own.unread))
    if (own !== undefined && chunk) own.unread = own.unread.slice(chunk.length)
    if (!chunk) {
      post({ kind: 'chunk', id, chunk: undefined })
      return
    }
    const bytes = new TextEncoder().encode(chunk)
    post({ kind: 'chunk', id, chunk: bytes }, [bytes.buffer])
  }

  function release(id: number): void {
    const own = pending.get(id)
    pending.delete(id)
    clearTimeout(own?.readTimer)
    own?.controller.abort(new OutboundError('cancelled'))
    own?.reservation.release()
  }

  function disconnect(connectionId: number): void {
    void connections.get(connectionId)?.upstream.close()
    connections.delete(connectionId)
  }

  async function close(): Promise<void> {
    const closing = [...connections.values()].map(({ upstream }) => upstream.close())
    connections.clear()
    await Promise.race([Promise.allSettled(closing), new Promise((resolve) => setTimeout(resolve, CLOSE_TIMEOUT_MS))])
    outbound?.close()
    exit()
  }

  return (message) => {
    switch (message.kind) {
      case 'configure':
        outbound = openOutbound(message.allow)
        return
      case 'request':
        return void handleRequest(message.id, message.request)
      case 'pull':
        return postChunk(message.id)
      case 'release':
        return release(message.id)
      case 'disconnect':
        return disconnect(message.connectionId)
      case 'ping':
        return post({ kind: 'pong' })
      case 'close':
        return void close()
    }
  }
}

/** Where a chunk ends: never inside a surrogate pair. */
function endOfChunk(text: string): number {
  const isHighSurrogate = (text.charCodeAt(CHUNK_CHARACTERS - 1) & 0xfc00) === 0xd800
  return isHighSurrogate ? CHUNK_CHARACTERS - 1 : CHUNK_CHARACTERS
}

async function list(upstream: Upstream, scope: RequestScope): Promise<UpstreamResult> {
  const { tools, unpicked, skipped, ttlMs } = await upstream.list(scope)
  return { kind: 'list', tools, unpicked, skipped, ttlMs, ...upstream.negotiated() }
}
