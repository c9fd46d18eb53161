import { sha256Hex } from '../../../../src/secrets/secret.ts'
import type { Assistant } from '../../../../src/transcripts/format.ts'

/** A history as the service has it: the lines of each generation, in order. */
export type Stored = {
  id: string
  assistant: Assistant
  sourceKey: string
  sessionId: string
  cwd: string | undefined
  generation: number
  rawEnd: number
  chain: string
  generations: Map<number, string[]>
}

/** What becomes of a request: `cut` does it and loses the answer, `drop` does not do it. */
export type Fate = 'answer' | 'cut' | 'drop' | Response

const FIRST_CHAIN = '0'.repeat(64)
const MAX_BODY_BYTES = 4 * 2 ** 20
const MAX_LINES = 16_384
export const PROJECT_ID = '01a2025b-6924-7078-ac85-c0fc82ab0987'
export const HOLDER_ID = '01a2025b-6924-7078-ac85-c0fc82ab0988'

type Heads = { device: string; sources: { assistant: Assistant; source_key: string; session_id: string; cwd?: string }[] }

/** The service's part of the protocol in memory, strict as the service is. `decide` may lose or answer a request. */
export function createSyncEndpoint(decide: (method: string, path: string) => Fate = () => 'answer') {
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
      const history = known ?? {
        id,
        assistant,
        sourceKey,
        sessionId,
        cwd,
        generation: 1,
        rawEnd: 0,
        chain: FIRST_CHAIN,
        generations: new Map(),
      }
      histories.set(id, history)
      return { source_id: id, ...toWire(history) }
    })
    return Response.json({ heads, limits: { max_segment_bytes: 2 ** 20 }, server_time: new Date().toISOString() })
  }

  async function put(request: Request, [, id = '', g = '', start = '', end = '']: string[]): Promise<Response> {
    const history = histories.get(id)
    if (history === undefined) return refuse(404, 'unknown')
    const [generation, rawStart, rawEnd] = [Number(g), Number(start), Number(end)]
    const text = Buffer.from(Bun.zstdDecompressSync(await request.bytes()))
    const digest = sha256Hex(text)
    if (text.length > MAX_BODY_BYTES || text.toString('utf8').split('\n').length - 1 > MAX_LINES) violations.push('too large')
    if (toBase64(digest) !== digestIn(request)) violations.push('digest')
    const before = request.headers.get('x-memsvc-chain') ?? ''
    const chain = sha256Hex(before + digest)
    if (history.generation === generation && history.rawEnd === rawEnd && history.chain === chain) return Response.json(toWire(history))
    const isNext = generation === history.generation && rawStart === history.rawEnd && before === history.chain
    const isNew = generation === history.generation + 1 && rawStart === 0 && before === FIRST_CHAIN
    if (!isNext && !isNew) return Response.json({ error: { code: 'gap', message: 'gap' }, ...toWire(history) }, { status: 409 })
    const lines = text.toString('utf8').split('\n').slice(0, -1)
    history.generations.set(generation, [...(isNew ? [] : (history.generations.get(generation) ?? [])), ...lines])
    Object.assign(history, { generation, rawEnd, chain })
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
    const segment = /^\/v1\/sync\/sources\/(\w+)\/generations\/(\d+)\/segments\/(\d+)-(\d+)$/.exec(pathname)
    if (segment !== null && request.method === 'PUT') return put(request, [...segment])
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
      const fate = decide(request.method, path)
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
    /** The newest lines of each history, by its key. */
    newest: () => new Map([...histories.values()].map((one) => [one.sourceKey, one.generations.get(one.generation) ?? []])),
    /** All distinct lines of all generations. */
    records: () => new Set([...histories.values()].flatMap((one) => [...one.generations.values()].flat())),
    stop: () => server.stop(true),
  }
}

/** An answer that is cut off. */
const breakOff = () => new Response('{"generation":', { headers: { 'content-type': 'application/json' } })

const toWire = ({ generation, rawEnd, chain, generations }: Stored) => ({
  generation,
  raw_end: rawEnd,
  chain,
  lines: generations.get(generation)?.length ?? 0,
  erased: false,
})
const refuse = (status: number, code: string) => Response.json({ error: { code, message: code } }, { status })
const toBase64 = (hex: string) => Buffer.from(hex, 'hex').toString('base64')
const digestIn = (request: Request) => /^sha-256=:(.+):$/.exec(request.headers.get('content-digest') ?? '')?.[1]
