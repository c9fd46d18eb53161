import { Elysia } from 'elysia'
import { Refusal } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { entrance } from './entrance.ts'
import { shows } from './handle.ts'
import { home } from './home.ts'
import { me } from './me.ts'

/** The console: what people see and do in a browser. */
export function consolePages(service: Service) {
  return new Elysia({ name: 'console' })
    .use(entrance(service))
    .use(home(service))
    .use(me(service))
    .get('/console/*', shows(service, nowhere))
}

async function nowhere(): Promise<Response> {
  throw new Refusal('there is no such page')
}
