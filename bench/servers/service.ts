import { createApp } from '../../src/app.ts'
import { announce, openWithNotes } from './open.ts'

const { service, key } = await openWithNotes(process.argv[2] ?? '')
const app = createApp(service).listen({ hostname: '127.0.0.1', port: 0 })
announce(app.server?.port, key)
