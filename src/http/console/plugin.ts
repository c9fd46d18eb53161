import { Elysia } from 'elysia'
import { Refusal } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { account } from './account.ts'
import { audit } from './audit.ts'
import { connections } from './connections.ts'
import { entrance } from './entrance.ts'
import { guard } from './guard.ts'
import { page } from './handle.ts'
import { home } from './home.ts'
import { integration } from './integration.ts'
import { integrations } from './integrations.ts'
import { keys } from './keys.ts'
import { me } from './me.ts'
import { people } from './people.ts'
import { person } from './person.ts'
import { record } from './record.ts'
import { records } from './records.ts'
import { reviewPage } from './review.ts'
import { settings } from './settings.ts'
import { trash } from './trash.ts'

/** The console: what people see and do in a browser. */
export function consolePages(service: Service) {
  return new Elysia({ name: 'console' })
    .use(entrance(service))
    .use(home(service))
    .use(me(service))
    .use(records(service))
    .use(record(service))
    .use(reviewPage(service))
    .use(trash(service))
    .use(guard(service))
    .use(keys(service))
    .use(connections(service))
    .use(settings(service))
    .use(people(service))
    .use(person(service))
    .use(integrations(service))
    .use(integration(service))
    .use(audit(service))
    .use(account(service))
    .get('/console/*', page(service, nowhere))
}

async function nowhere(): Promise<Response> {
  throw new Refusal('there is no such page')
}
