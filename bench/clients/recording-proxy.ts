/** The methods that a client sent, each once, with the newest revision of the protocol that it named. */
export type Heard = { methods: Set<string>; revision: string }

/** A proxy before the service that notes what clients send. It changes nothing. */
export function startRecordingProxy(target: string) {
  const heard: Heard = { methods: new Set(), revision: '' }

  function note(request: Request, text: string): void {
    const { method, params } = JSON.parse(text || '{}') as { method?: string; params?: { protocolVersion?: string } }
    if (method !== undefined) heard.methods.add(method)
    const revision = request.headers.get('mcp-protocol-version') ?? params?.protocolVersion ?? ''
    if (revision > heard.revision) heard.revision = revision
  }

  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 0,
    fetch: async (request) => {
      const { pathname } = new URL(request.url)
      const { method, headers, signal } = request
      const body = method === 'POST' ? await request.text() : null
      if (body !== null && pathname === '/mcp') note(request, body)
      const passed = new Headers(headers)
      passed.delete('host')
      return fetch(target + pathname, { method, headers: passed, body, signal, redirect: 'manual' })
    },
  })

  return {
    url: `http://127.0.0.1:${server.port}`,
    heard,
    stop: () => server.stop(true),
  }
}
