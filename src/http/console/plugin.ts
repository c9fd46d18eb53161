import { type AnyElysia, Elysia } from 'elysia'
import type { Service } from '../../service.ts'
import { account } from './account/account.ts'
import { audit } from './account/audit.ts'
import { integration } from './account/integration.ts'
import { integrations } from './account/integrations.ts'
import { people } from './account/people.ts'
import { person } from './account/person.ts'
import { backups } from './backups.ts'
import { page, type RouteContext } from './handle.ts'
import { home } from './home.ts'
import { jump } from './jump.ts'
import { me } from './me.ts'
import { operatedAccount } from './operator/account.ts'
import { operator } from './operator/operator.ts'
import { redirect, toNowhere } from './page-request.ts'
import { bulk } from './project/bulk.ts'
import { connections } from './project/connections.ts'
import { events } from './project/events.ts'
import { exports } from './project/export.ts'
import { guard } from './project/guard.ts'
import { imports } from './project/import.ts'
import { keys } from './project/keys.ts'
import { overviewPage } from './project/overview.ts'
import { record } from './project/record.ts'
import { records } from './project/records.ts'
import { reviewPage } from './project/review.ts'
import { rememberLines } from './project/sessions/remember.ts'
import { session } from './project/sessions/session.ts'
import { sessions } from './project/sessions/sessions.ts'
import { settings } from './project/settings.ts'
import { sources } from './project/sources.ts'
import { start } from './project/start.ts'
import { trash } from './project/trash.ts'
import { writePages } from './project/write.ts'
import { signInPages } from './sign-in.ts'

const PAGES: ((service: Service) => AnyElysia)[] = [
  signInPages,
  home,
  jump,
  me,
  operator,
  operatedAccount,
  backups,
  overviewPage,
  records,
  bulk,
  record,
  writePages,
  reviewPage,
  events,
  sources,
  trash,
  sessions,
  session,
  rememberLines,
  guard,
  start,
  keys,
  connections,
  settings,
  imports,
  exports,
  people,
  person,
  integrations,
  integration,
  audit,
  account,
]

/** The console: the service's pages for people. */
export function consolePages(service: Service) {
  const pages = new Elysia({ name: 'console' })
  // One by one: a chained call has a type with the routes of all, which is too large for the compiler.
  for (const plugin of PAGES) pages.use(plugin(service))
  pages.get('/console/*', page(service, toNowhere))
  return answerForms(pages)
}

/**
 * Makes the URL of every form respond to GET, which a browser sends when a refused form is reloaded or bookmarked: with a redirect to the nearest page above
 * it.
 */
function answerForms<
  Pages extends { routes: { method: string; path: string }[]; get: (path: string, handle: (context: RouteContext) => Response) => unknown },
>(pages: Pages): Pages {
  const pathsOf = (method: string) => pages.routes.filter((route) => route.method === method).map(({ path }) => path)
  const shown = new Set(pathsOf('GET'))
  for (const path of pathsOf('POST').filter((one) => !shown.has(one))) {
    let parent = path
    while (!shown.has(parent)) parent = parent.slice(0, parent.lastIndexOf('/'))
    pages.get(path, ({ params = {} }) => redirect(parent.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))))
  }
  return pages
}
