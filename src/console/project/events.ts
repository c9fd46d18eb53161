import { toMemberActor } from '../../account/auth/actor.ts'
import { authenticateVisitor } from '../../account/auth/session.ts'
import { MINUTE_MS, SECOND_MS } from '../../clock.ts'
import { TooMany } from '../../errors.ts'
import { toBody } from '../../http/chunks.ts'
import { readToken } from '../browser.ts'
import { readWaiting } from '../console-page.ts'
import { type MemoryRequest, openForReading, type Page, type PageRequest, pageOf } from '../page.ts'

/** A browser opens six connections to a service: more than two streams would leave too few for its pages. */
const MAX_STREAMS_PER_BROWSER = 2
/** Maximum number of open streams, per member and in total. */
const MAX_STREAMS_PER_MEMBER = 6
const MAX_STREAMS = 200
/** Interval at which a stream checks whether the project has changed, which reads one number. */
const LOOK_MS = SECOND_MS
/**
 * Number of checks without a change after which a comment is sent, to keep the connection open, and the session is
 * checked.
 */
const KEEP_ALIVE_LOOKS = 15
/** The browser reconnects afterwards. */
const MAX_STREAM_MS = 10 * MINUTE_MS

/**
 * `GET /console/projects/:project/events`: an event `changed` after every change of the project, with the number of
 * what waits for a review as its data. It ends with the session of its reader, and with an event `replaced` when
 * the same browser (a session) has opened two others since, or its member six.
 */
export const toEvents = (): Page =>
  pageOf(openForReading, { path: '/console/projects/:project/events', show: createStreams() })

type Stream = { memberId: string; sessionId: string; ending: AbortController }

/** The reason for the end of a stream, and the event that tells its reader not to open it again by itself. */
const REPLACED = 'replaced'

function createStreams() {
  /** In the order in which they were opened. */
  const streams = new Set<Stream>()
  return async (req: MemoryRequest): Promise<Response> => {
    const stream = { memberId: req.visitor.member.id, sessionId: req.visitor.session.id, ending: new AbortController() }
    endOldest(streams, MAX_STREAMS_PER_BROWSER - 1, ({ sessionId }) => sessionId === stream.sessionId)
    endOldest(streams, MAX_STREAMS_PER_MEMBER - 1, ({ memberId }) => memberId === stream.memberId)
    if (streams.size >= MAX_STREAMS) throw new TooMany(MINUTE_MS / SECOND_MS)
    streams.add(stream)
    return toStream(req, stream.ending, () => streams.delete(stream))
  }
}

/** Ends the streams that are `isOwn`, except for the `left` that were opened last. */
function endOldest(streams: Set<Stream>, left: number, isOwn: (stream: Stream) => boolean): void {
  for (const stream of [...streams].filter(isOwn).slice(0, -left)) {
    streams.delete(stream)
    stream.ending.abort(REPLACED)
  }
}

function toStream(req: MemoryRequest, ending: AbortController, close: () => void): Response {
  const done = () => {
    close()
    ending.abort()
  }
  return new Response(toBody(req.service, eachChange(req, ending.signal), done), {
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

async function* eachChange(req: MemoryRequest, signal: AbortSignal): AsyncGenerator<string, void> {
  const { service, memory, project } = req
  const end = service.clock.ticks() + MAX_STREAM_MS
  const ended = new Promise((resolve) => signal.addEventListener('abort', resolve))
  let version: number | undefined
  for (let looks = 0; !signal.aborted && !service.isStopping() && service.clock.ticks() < end; looks++) {
    const present = await memory.version()
    const isChanged = present !== version
    if (isChanged || looks % KEEP_ALIVE_LOOKS === 0) {
      const reader = await findReader(req)
      if (reader === undefined) return
      yield isChanged ? `event: changed\ndata: ${await readWaiting(reader, project)}\n\n` : ': still here\n\n'
    }
    version = present
    await Promise.race([Bun.sleep(LOOK_MS), ended])
  }
  if (signal.reason === REPLACED) yield `event: ${REPLACED}\ndata:\n\n`
}

/** The reader with their present rights; undefined once the session or the subscription ended, or the project is closed to them. */
async function findReader(req: MemoryRequest): Promise<PageRequest | undefined> {
  const token = readToken(req.service.config, req.request)
  const visitor = token === undefined ? undefined : await authenticateVisitor(req.service, token)
  if (visitor === undefined) return undefined
  const reader: PageRequest = { ...req, visitor, actor: toMemberActor(visitor, req.clientIp) }
  return openForReading(reader).then(
    () => reader,
    () => undefined,
  )
}
