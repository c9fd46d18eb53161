import { Elysia } from 'elysia'
import { Refusal } from '../../errors.ts'
import type { Service } from '../../service.ts'
import { account } from './account/account.ts'
import { audit } from './account/audit.ts'
import { integration } from './account/integration.ts'
import { integrations } from './account/integrations.ts'
import { people } from './account/people.ts'
import { person } from './account/person.ts'
import { page } from './handle.ts'
import { home } from './home.ts'
import { me } from './me.ts'
import { connections } from './project/connections.ts'
import { guard } from './project/guard.ts'
import { keys } from './project/keys.ts'
import { record } from './project/record.ts'
import { records } from './project/records.ts'
import { reviewPage } from './project/review.ts'
import { settings } from './project/settings.ts'
import { trash } from './project/trash.ts'
import { signInPages } from './sign-in.ts'

/** The console: the pages of the service for people. */
export function consolePages(service: Service) {
  return new Elysia({ name: 'console' })
    .use(signInPages(service))
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
