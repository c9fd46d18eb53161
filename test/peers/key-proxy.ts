/** Starts a proxy that adds the `Authorization` header, for which the conformance suites have no option. */
export function openKeyProxy(url: string, secret: string) {
  return Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const headers = new Headers(request.headers)
      headers.set('authorization', `Bearer ${secret}`)
      const { method } = request
      const { pathname } = new URL(request.url)
      return fetch(url + pathname, { method, headers, body: method === 'POST' ? await request.bytes() : null })
    },
  })
}
