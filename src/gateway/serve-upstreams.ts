import { OutboundError } from '../errors.ts'
import type { Params } from '../jsonrpc.ts'
import type { Outbound } from '../outbound/outbound.ts'
import { type FindMark, toAnswer } from './answer.ts'
import { toFailure } from './failure.ts'
import type { Answer, CallQuestion, FromThread, Question, Target, ToThread } from './messages.ts'
import { createRoom, createRooms, type Room } from './room.ts'
import { createScrub, type Scrub } from './scrub.ts'
import { createUpstream, type Upstream } from './upstream.ts'

type Given = {
  tell: (message: FromThread) => void
  mark: FindMark
  openOutbound: (allow: string[]) => Outbound
  /** Gives back the memory that earlier answers took. */
  collect: () => void
  /** Called when all connections are closed. */
  end: () => void
}

type Held = { upstream: Upstream; scrub: Scrub }
/** `rest` is what has not been read of a large answer, without its last brace. */
type Asked = { controller: AbortController; room: Room; rest: string; timer: ReturnType<typeof setTimeout> | undefined }

/** How often an upstream may say that its list has changed, in milliseconds. */
const CHANGED_EVERY_MS = 5_000
const CLOSING_MS = 1_000
/** How long a large answer may take to be read, in milliseconds, once it has its place. */
const MAX_LARGE_MS = 30_000
/** Most characters of a piece of a large answer. */
const PIECE_CHARACTERS = 131_072

/** The other side of `UpstreamThread`: speaks to all upstreams, and takes what the service says to its thread. */
export function serveUpstreams({ tell, mark, openOutbound, collect, end }: Given): (message: ToThread) => void {
  const lines = new Map<number, Held>()
  const asked = new Map<number, Asked>()
  const rooms = createRooms()
  let outbound: Outbound | undefined

  function hold(target: Target): Held {
    const known = lines.get(target.line)
    if (known !== undefined) return known
    outbound ??= openOutbound([])
    const made = { upstream: createUpstream(outbound, target, toChanged(target)), scrub: createScrub(target.url, target.headers) }
    lines.set(target.line, made)
    return made
  }

  function toChanged({ line }: Target): () => void {
    let saidAt = Number.NEGATIVE_INFINITY
    return () => {
      const now = performance.now()
      if (now - saidAt < CHANGED_EVERY_MS) return
      saidAt = now
      tell({ kind: 'changed', line })
    }
  }

  async function answer(id: number, question: Question): Promise<void> {
    const { upstream, scrub } = hold(question.target)
    const controller = new AbortController()
    const room = createRoom(rooms, question.target.accountId, controller.signal, { onLarge: () => limitReading(id), collect })
    const waited = { signal: controller.signal, room }
    asked.set(id, { controller, room, rest: '', timer: undefined })
    try {
      const answer = question.kind === 'call' ? await call(id, upstream, question, waited) : await list(upstream, waited)
      tell({ kind: 'answered', id, answer })
      if (answer.kind === 'list' || answer.text !== undefined) over(id)
    } catch (error) {
      const isUnknownTool = (error as { code?: unknown }).code === -32602
      tell({ kind: 'failed', id, failure: toFailure(scrub, error), isUnknownTool, ...upstream.spoken() })
      over(id)
    }
  }

  /** Others wait for the place of a large answer, so that it must be read soon. */
  function limitReading(id: number): void {
    const own = asked.get(id)
    if (own !== undefined) own.timer = setTimeout(() => own.controller.abort(new OutboundError('timeout', MAX_LARGE_MS)), MAX_LARGE_MS)
  }

  async function call(
    id: number,
    upstream: Upstream,
    question: CallQuestion,
    waited: { signal: AbortSignal; room: Room },
  ): Promise<Answer> {
    const { tool, args, schema } = question
    const called = { name: tool, schema: schema === undefined ? undefined : (JSON.parse(schema) as Params) }
    const { answer, bytes } = await upstream.call(called, JSON.parse(args) as Params, waited)
    waited.room.tidy()
    const { text, isError } = await toAnswer(answer, mark)
    await waited.room.grow(text.length)
    const own = asked.get(id)
    clearTimeout(own?.timer)
    if (own === undefined || !waited.room.isHeld()) return { kind: 'call', text, isError, bytes }
    own.rest = text.slice(0, -1)
    return { kind: 'call', text: undefined, isError, bytes }
  }

  function readPiece(id: number): void {
    const own = asked.get(id)
    const piece = own?.rest.slice(0, endOfPiece(own.rest))
    if (own !== undefined && piece) own.rest = own.rest.slice(piece.length)
    tell({ kind: 'piece', id, piece: piece ? new TextEncoder().encode(piece) : undefined })
  }

  function over(id: number): void {
    const was = asked.get(id)
    asked.delete(id)
    clearTimeout(was?.timer)
    was?.controller.abort(new OutboundError('cancelled'))
    was?.room.free()
  }

  async function close(): Promise<void> {
    const all = [...lines.values()].map(({ upstream }) => upstream.close())
    lines.clear()
    await Promise.race([Promise.allSettled(all), new Promise((resolve) => setTimeout(resolve, CLOSING_MS))])
    outbound?.close()
    end()
  }

  return (message) => {
    if (message.kind === 'begin') outbound = openOutbound(message.allow)
    if (message.kind === 'ask') void answer(message.id, message.question)
    if (message.kind === 'read') readPiece(message.id)
    if (message.kind === 'over') over(message.id)
    if (message.kind === 'ping') tell({ kind: 'pong' })
    if (message.kind === 'end') void close()
    if (message.kind !== 'forget') return
    void lines.get(message.line)?.upstream.close()
    lines.delete(message.line)
  }
}

/** A character of two code units is not cut. */
function endOfPiece(text: string): number {
  const isHigh = (text.charCodeAt(PIECE_CHARACTERS - 1) & 0xfc00) === 0xd800
  return isHigh ? PIECE_CHARACTERS - 1 : PIECE_CHARACTERS
}

async function list(upstream: Upstream, waited: { signal: AbortSignal; room: Room }): Promise<Answer> {
  const { tools, left, ttlMs } = await upstream.list(waited)
  return { kind: 'list', tools, left, ttlMs, ...upstream.spoken() }
}
