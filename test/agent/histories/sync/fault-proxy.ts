/**
 * What the proxy does with a request: `cut` has it done and loses the answer, `repeat` has an older one done again
 * before it.
 */
export type ProxyFate = 'pass' | 'drop' | 'cut' | 'repeat'

type Kept = { path: string; init: RequestInit }

/**
 * Stands between agents and a service that comes and goes. `decide` is asked before each request, `after` is told once
 * the service has answered and the agent has not heard of it.
 */
export function startFaultProxy(serviceUrl: string, decide: (path: string) => ProxyFate, after: () => void) {
  const older: Kept[] = []

  const forward = ({ path, init }: Kept) => fetch(serviceUrl + path, init).catch(() => undefined)

  async function answer(request: Request): Promise<Response> {
    const { pathname: path } = new URL(request.url)
    const body = await request.bytes()
    const init = { method: request.method, headers: request.headers, body: body.length === 0 ? null : body }
    const fate = decide(path)
    if (fate === 'drop') return lost()
    if (fate === 'repeat') for (const one of older.slice(-2)) await (await forward(one))?.bytes()
    const answered = await forward({ path, init })
    if (request.method === 'PUT') older.push({ path, init })
    after()
    if (answered === undefined || fate === 'cut') return lost()
    return new Response(await answered.bytes(), { status: answered.status, headers: answered.headers })
  }

  const server = Bun.serve({ hostname: '127.0.0.1', port: 0, idleTimeout: 0, fetch: answer })
  return { url: `http://127.0.0.1:${server.port}`, stop: () => server.stop(true) }
}

/** As a gateway answers that got no answer. */
const lost = () => new Response('bad gateway', { status: 502 })
