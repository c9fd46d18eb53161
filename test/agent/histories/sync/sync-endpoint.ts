import { sha256Hex } from '../../../../src/secrets/secret.ts'
import type { Assistant } from '../../../../src/transcripts/format.ts'
import { FORMATS } from '../../../../src/transcripts/formats.ts'
import { parseLine } from '../../../../src/transcripts/parse-line.ts'

/**
 * A history as the service has it: its lines by what identifies them, in the order in which the first of each arrived.
 */
export type Stored = {
  id: string
  assistant: Assistant
  sourceKey: string
  sessionId: string
  cwd: string | undefined
  chain: string
  lines: Map<string, string>
  /** The last line with an id, and how many without one followed it. */
  lastId: string
  sinceId: number
}

/** What becomes of a request: `cut` does it and loses the answer, `drop` does not do it. */
export type Fate = 'answer' | 'cut' | 'drop' | Response
export type Decide = (method: string, path: string) => Fate | Promise<Fate>

const FIRST_CHAIN = '0'.repeat(64)
const MAX_BODY_BYTES = 4 * 2 ** 20
const MAX_LINES = 1_024
export const PROJECT_ID = '01a2025b-6924-7078-ac85-c0fc82ab0987'
export const HOLDER_ID = '01a2025b-6924-7078-ac85-c0fc82ab0988'

type Heads = {
  device: string
  sources: { assistant: Assistant; source_key: string; session_id: string; cwd?: string }[]
}

/** The service's part of the protocol in memory, strict as the service is. `decide` may lose or answer a request. */
export function createSyncEndpoint(decide: Decide = () => 'answer') {
  const histories = new Map<string, Stored>()
  const requests: string[] = []
  const violations: string[] = []
  /** What was told of histories. */
  const bodies: string[] = []
  let segments = 0

  function readHeads({ device, sources }: Heads): Response {
    const heads = sources.map(({ assistant, source_key: sourceKey, session_id: sessionId, cwd }) => {
      const id = sha256Hex([device, assistant, sourceKey].join(' ')).slice(0, 32)
      const known = histories.get(id)
      const history: Stored = known ?? {
        id,
        assistant,
        sourceKey,
        sessionId,
        cwd,
        chain: FIRST_CHAIN,
        lines: new Map(),
        lastId: '',
        sinceId: 0,
      }
      histories.set(id, history)
      return { source_id: id, ...toWire(history) }
    })
    return Response.json({ heads, limits: { max_segment_bytes: 2 ** 20 }, server_time: new Date().toISOString() })
  }

  async function put(request: Request, id: string): Promise<Response> {
    const history = histories.get(id)
    if (history === undefined) return refuse(404, 'unknown')
    const text = Buffer.from(Bun.zstdDecompressSync(await request.bytes()))
    const digest = sha256Hex(text)
    if (text.length > MAX_BODY_BYTES || text.toString('utf8').split('\n').length - 1 > MAX_LINES)
      violations.push('too large')
    if (toBase64(digest) !== digestIn(request)) violations.push('digest')
    const before = request.headers.get('x-memsvc-chain') ?? ''
    const chain = sha256Hex(before + digest)
    if (history.chain === chain) return Response.json(toWire(history))
    if (history.chain !== before)
      return Response.json({ error: { code: 'gap', message: 'gap' }, ...toWire(history) }, { status: 409 })
    if (new URL(request.url).searchParams.has('first')) Object.assign(history, { lastId: '', sinceId: 0 })
    for (const line of text.toString('utf8').split('\n').slice(0, -1)) store(history, line)
    history.chain = chain
    segments += 1
    return Response.json(toWire(history), { status: 201 })
  }

  async function handle(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url)
    if (pathname === '/v1/key') {
      const names = { project: 'default', account: 'acme', holder: 'Ada', key: 'lXzxUFMp' }
      return Response.json({ ...names, project_id: PROJECT_ID, holder_id: HOLDER_ID })
    }
    if (pathname === '/v1/sync/heads') {
      const body = await request.text()
      bodies.push(body)
      return readHeads(JSON.parse(body) as Heads)
    }
    const id = /^\/v1\/sync\/sources\/(\w+)\/lines$/.exec(pathname)?.[1]
    if (id !== undefined && request.method === 'PUT') return put(request, id)
    const forgotten = /^\/v1\/sync\/sources\/(\w+)\/forget$/.exec(pathname)?.[1]
    if (forgotten === undefined) return new Response(null, { status: 404 })
    histories.delete(forgotten)
    return Response.json({ forgotten: true })
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const path = new URL(request.url).pathname
      requests.push(`${request.method} ${path}`)
      const fate = await decide(request.method, path)
      if (fate instanceof Response) return fate
      if (fate === 'drop') return breakOff()
      const answer = await handle(request)
      return fate === 'cut' ? breakOff() : answer
    },
  })

  return {
    url: `http://127.0.0.1:${server.port}`,
    histories,
    requests,
    violations,
    bodies,
    countSegments: () => segments,
    /** The lines of each history, by its key. */
    linesOf: () => new Map([...histories.values()].map(({ sourceKey, lines }) => [sourceKey, [...lines.values()]])),
    stop: () => server.stop(true),
  }
}

/** An answer that is cut off. */
const breakOff = () => new Response('{"chain":', { headers: { 'content-type': 'application/json' } })

function store(history: Stored, line: string): void {
  const parsed = parseLine(line)
  const lastId = parsed && FORMATS.get(history.assistant)?.idOf(parsed)
  if (lastId === undefined) history.sinceId += 1
  else Object.assign(history, { lastId, sinceId: 0 })
  history.lines.set(`${history.lastId} ${history.sinceId}`, line)
}

const toWire = ({ chain, lines }: Stored) => ({ chain, lines: lines.size, erased: false })
const refuse = (status: number, code: string) => Response.json({ error: { code, message: code } }, { status })
const toBase64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
const digestIn = (request: Request) => /^sha-256=:(.+):$/.exec(request.headers.get('content-digest') ?? '')?.[1]
