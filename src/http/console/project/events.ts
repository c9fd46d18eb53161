import { Elysia } from 'elysia'
import { authenticateVisitor } from '../../../account/auth/session.ts'
import { MINUTE_MS, SECOND_MS } from '../../../clock.ts'
import { TooMany } from '../../../errors.ts'
import { viewerOf } from '../../../memory/records/lists/list-records.ts'
import { countToReview } from '../../../memory/records/lists/review-count.ts'
import type { Service } from '../../../service.ts'
import { toBody } from '../../chunks.ts'
import { readToken } from '../cookie.ts'
import { page, type View } from '../handle.ts'
import { type PageRequest, toWaiting } from '../page-request.ts'
import { openMemory, type ProjectMemory } from './project-memory.ts'

/** Maximum number of open streams, per member and in total. */
const MAX_STREAMS_PER_MEMBER = 6
const MAX_STREAMS = 200
/** Interval at which a stream checks whether the project has changed, which reads one number. */
const LOOK_MS = SECOND_MS
/** Number of checks without a change after which a comment is sent, to keep the connection open, and the session is checked. */
const KEEP_ALIVE_LOOKS = 15
/** The browser reconnects afterwards. */
const MAX_STREAM_MS = 10 * MINUTE_MS

/**
 * `GET /console/projects/:project/events`: an event `changed` after every change of the project, with the number of records that wait for a review as its
 * data. It ends with the session of its reader.
 */
export function events(service: Service) {
  return new Elysia({ name: 'console/events' }).get('/console/projects/:project/events', page(service, createStreams()))
}

function createStreams(): View {
  const openOf = new Map<string, number>()
  let open = 0
  return async (req) => {
    const place = await openMemory(req, 'read')
    const { id } = req.visitor.member
    const own = openOf.get(id) ?? 0
    if (own >= MAX_STREAMS_PER_MEMBER || open >= MAX_STREAMS) throw new TooMany(MINUTE_MS / SECOND_MS)
    openOf.set(id, own + 1)
    open += 1
    const close = () => {
      const left = (openOf.get(id) ?? 1) - 1
      if (left === 0) openOf.delete(id)
      else openOf.set(id, left)
      open -= 1
    }
    return toStream(req, place, close)
  }
}

function toStream(req: PageRequest, place: ProjectMemory, close: () => void): Response {
  let isOpen = true
  const done = () => {
    if (isOpen) close()
    isOpen = false
  }
  const body = toBody(
    req.service,
    eachChange(req, place, () => isOpen),
    done,
  )
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
      'X-Content-Type-Options': 'nosniff',
    },
  })
}

async function* eachChange(req: PageRequest, { memory, caller }: ProjectMemory, isOpen: () => boolean): AsyncGenerator<string, void> {
  const { service } = req
  const end = service.clock.ticks() + MAX_STREAM_MS
  let version: number | undefined
  for (let looks = 0; isOpen() && !service.isStopping() && service.clock.ticks() < end; looks++) {
    const present = await memory.version()
    const isDue = looks % KEEP_ALIVE_LOOKS === 0
    if ((present !== version || isDue) && !(await isSignedIn(req))) return
    if (present !== version) yield `event: changed\ndata: ${toWaiting(await countToReview(service, viewerOf(caller)))}\n\n`
    else if (isDue) yield ': still here\n\n'
    version = present
    await Bun.sleep(LOOK_MS)
  }
}

/** Whether the session is open still, and the project to its member. */
async function isSignedIn(req: PageRequest): Promise<boolean> {
  const token = readToken(req.service.config, req.request)
  const visitor = token === undefined ? undefined : await authenticateVisitor(req.service, token)
  if (visitor === undefined) return false
  return openMemory({ ...req, visitor }, 'read').then(
    () => true,
    () => false,
  )
}
