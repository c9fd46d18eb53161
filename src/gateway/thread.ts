import { OutboundError } from '../errors.ts'
import type { LargeText, ObjectText } from '../jsonrpc.ts'
import type { Log } from '../log.ts'
import { readAllowed } from '../outbound/address.ts'
import { until } from '../outbound/until.ts'
import { UpstreamFailure } from './failure.ts'
import type { Answer, CallAnswer, CallQuestion, FromThread, ListAnswer, ListQuestion, Question, ToThread } from './messages.ts'

/**
 * The thread in which all upstreams are spoken to: whatever they send is read, parsed, judged and rendered there, and holds up no event loop
 * but that one. It is started by the first question, and again by the next one when it has died.
 */
export type UpstreamThread = {
  /** Throws UpstreamFailure for what the upstream did, OutboundError where the thread died or gave no answer in time. */
  list: (question: ListQuestion) => Promise<ListAnswer>
  /** The same. A large answer takes room until `signal` is aborted: nobody waits for it any more. */
  call: (question: CallQuestion, signal: AbortSignal) => Promise<Called>
  /** A number for one state of an integration. `changed` is called when its upstream says that its list is another now. */
  newLine: (changed: () => void) => number
  /** Closes the connection of a line that is not asked any more. */
  forget: (line: number) => void
  /** Ends sessions, briefly, and the thread. */
  close: () => Promise<void>
}

/** What a call came to: the result of `tools/call`, and what it was read from in bytes. */
export type Called = { text: ObjectText; isError: boolean; bytes: number }

/** How much longer than the question itself may take its answer is waited for, and how long a thread may say nothing before it is taken for stuck. */
const GRACE_MS = 5_000
const STUCK_MS = 30_000
/** How long a large answer may take its room, however slowly its client reads it. */
const MAX_READING_MS = 60_000
const CLOSING_MS = 2_000

type Waiting<T> = { resolve: (value: T) => void; reject: (error: Error) => void }

/** `address` is that of the thread's own file. Throws a Refusal that names a bad entry of `allow`. */
export function createUpstreamThread(address: URL, allow: string[], log: Log): UpstreamThread {
  readAllowed(allow)
  const waiting = new Map<number, Waiting<Answer>>()
  const reading = new Map<number, Waiting<Uint8Array | undefined>>()
  const listeners = new Map<number, () => void>()
  let worker: Worker | undefined
  let lastId = 0
  let heardAt = 0
  let stuckTimer: ReturnType<typeof setTimeout> | undefined

  function start(): Worker {
    const started = new Worker(address.href, { smol: true })
    started.onmessage = ({ data }: MessageEvent<FromThread>) => hear(data)
    started.onerror = (event) => {
      event.preventDefault()
      lose(started, event.message)
    }
    started.addEventListener('close', () => lose(started, 'it ended'))
    started.unref()
    tell(started, { kind: 'begin', allow })
    return started
  }

  /** Whoever waits is told; the next question starts another thread. */
  function lose(lost: Worker, reason: string): void {
    if (worker !== lost) return
    worker = undefined
    log('the thread of upstreams died', { questions: waiting.size, reason })
    failAll()
    lost.terminate()
  }

  function failAll(): void {
    const all = [...waiting.values(), ...reading.values()]
    waiting.clear()
    reading.clear()
    for (const { reject } of all) reject(new OutboundError('broken'))
  }

  function hear(message: FromThread): void {
    heardAt = performance.now()
    if (message.kind === 'changed') listeners.get(message.line)?.()
    if (message.kind === 'answered') waiting.get(message.id)?.resolve(message.answer)
    if (message.kind === 'piece') reading.get(message.id)?.resolve(message.piece)
    if (message.kind !== 'failed') return
    const { failure, isUnknownTool, transport, revision } = message
    waiting.get(message.id)?.reject(new UpstreamFailure(failure, isUnknownTool, { transport, revision }))
  }

  /** Ends a thread that has answered neither a question in time nor a ping since. */
  function suspect(suspected: Worker): void {
    if (stuckTimer !== undefined) return
    const askedAt = performance.now()
    tell(suspected, { kind: 'ping' })
    stuckTimer = setTimeout(() => {
      stuckTimer = undefined
      if (heardAt < askedAt) lose(suspected, 'it was stuck')
    }, STUCK_MS)
    stuckTimer.unref()
  }

  async function ask(question: Question, signal?: AbortSignal): Promise<{ id: number; answer: Answer }> {
    worker ??= start()
    const asked = worker
    lastId += 1
    const id = lastId
    const end = until(signal, question.target.timeoutMs + GRACE_MS)
    const answered = Promise.withResolvers<Answer>()
    const giveUp = () => {
      if (end.signal.reason.failure === 'timeout') suspect(asked)
      answered.reject(end.signal.reason)
    }
    if (end.signal.aborted) giveUp()
    else end.signal.addEventListener('abort', giveUp, { once: true })
    waiting.set(id, answered)
    tell(asked, { kind: 'ask', id, question })
    try {
      return { id, answer: await answered.promise }
    } catch (error) {
      if (!(error instanceof UpstreamFailure)) tell(worker, { kind: 'over', id })
      throw error
    } finally {
      waiting.delete(id)
      end.settle()
    }
  }

  /** A large answer, whose text stays in the thread until it has left the service, or has taken too long to. */
  function toLargeText(id: number, signal: AbortSignal): LargeText {
    const holder = worker
    const free = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', free)
      tell(worker, { kind: 'over', id })
      reading.get(id)?.reject(new OutboundError('cancelled'))
    }
    const timer = setTimeout(free, MAX_READING_MS)
    timer.unref()
    if (signal.aborted) free()
    else signal.addEventListener('abort', free)
    return { before: '', after: '}', read: () => readPiece(id, holder) }
  }

  async function readPiece(id: number, holder: Worker | undefined): Promise<Uint8Array | undefined> {
    if (holder === undefined || worker !== holder) throw new OutboundError('broken')
    const piece = Promise.withResolvers<Uint8Array | undefined>()
    reading.set(id, piece)
    tell(holder, { kind: 'read', id })
    try {
      return await piece.promise
    } finally {
      reading.delete(id)
    }
  }

  return {
    list: async (question) => (await ask(question)).answer as ListAnswer,
    call: async (question, signal) => {
      const { id, answer } = (await ask(question, signal)) as { id: number; answer: CallAnswer }
      const { text, isError, bytes } = answer
      return { text: text ?? toLargeText(id, signal), isError, bytes }
    },
    forget: (line) => {
      listeners.delete(line)
      tell(worker, { kind: 'forget', line })
    },
    newLine: (changed) => {
      lastId += 1
      listeners.set(lastId, changed)
      return lastId
    },
    close: async () => {
      clearTimeout(stuckTimer)
      const closing = worker
      worker = undefined
      failAll()
      if (closing !== undefined) await endThread(closing)
    },
  }
}

function tell(worker: Worker | undefined, message: ToThread): void {
  worker?.postMessage(message)
}

/** Resolves when the thread has closed its connections and ended, or was ended. */
async function endThread(worker: Worker): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  worker.addEventListener('close', () => resolve())
  const timer = setTimeout(() => {
    worker.terminate()
    resolve()
  }, CLOSING_MS)
  tell(worker, { kind: 'end' })
  await ended
  clearTimeout(timer)
}
