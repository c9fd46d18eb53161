import { announce } from './open.ts'

const bytes = await Bun.file(process.argv[2] ?? '').text()
const headers = { 'Content-Type': 'application/json' }
const server = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(bytes, { headers }) })
announce(server.port, '')
