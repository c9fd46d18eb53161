import { onTestFinished } from 'bun:test'

/** A collector of spans on this machine, which keeps the bodies that it is sent. */
export function startCollector(answer = () => Response.json({})) {
  const bodies: string[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      bodies.push(await request.text())
      return answer()
    },
  })
  onTestFinished(() => server.stop(true))
  return { url: `http://127.0.0.1:${server.port}`, bodies }
}
