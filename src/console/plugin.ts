import { Elysia } from 'elysia'
import type { Service } from '../service.ts'
import { account } from './account/account.ts'
import { audit } from './account/audit.ts'
import { integration } from './account/integration.ts'
import { integrations } from './account/integrations.ts'
import { people } from './account/people.ts'
import { person } from './account/person.ts'
import { onceForDoubleSubmit } from './double-submit.ts'
import { toFormRoute, toViewRoute } from './frame.ts'
import { home } from './home.ts'
import { jump } from './jump.ts'
import { me } from './me.ts'
import { operatedAccount } from './operator/account.ts'
import { backups } from './operator/backups.ts'
import { operator } from './operator/operator.ts'
import { type Action, type Form, forOperator, type Page } from './page.ts'
import { connections } from './project/connections.ts'
import { toEvents } from './project/events.ts'
import { guard } from './project/guard.ts'
import { imports } from './project/import.ts'
import { key } from './project/key.ts'
import { keys } from './project/keys.ts'
import { overview } from './project/overview.ts'
import { settings } from './project/settings.ts'
import { start } from './project/start.ts'
import { exports } from './records/export.ts'
import { record } from './records/record.ts'
import { records } from './records/records.ts'
import { reviewPage } from './records/review.ts'
import { sources } from './records/sources.ts'
import { trash } from './records/trash.ts'
import { edit, newRecord } from './records/write.ts'
import { toNowhere } from './request.ts'
import { redirect } from './response.ts'
import { rememberLines } from './sessions/remember.ts'
import { session } from './sessions/session.ts'
import { sessions } from './sessions/sessions.ts'
import { signInPages } from './sign-in.ts'

const PAGES: Page[] = [
  ...[home, jump, me, operator, operatedAccount, backups],
  ...[overview, start, keys, key, ...connections, settings, imports, guard],
  ...[records, newRecord, edit, record, reviewPage, sources, trash, exports],
  ...[sessions, session, rememberLines],
  ...[people, person, integrations, integration, audit, account],
]

/** Without the types of all routes, which are too large for the compiler. */
type Routes = Elysia

/** The console: the service's pages for people. */
export function consolePages(service: Service) {
  const routes: Routes = new Elysia({ name: 'console' })
  routes.use(signInPages(service)).get('/', () => redirect('/console'))
  for (const page of [...PAGES, toEvents()]) addPage(routes, service, page)
  return routes.get('/console/*', toViewRoute(service, toNowhere))
}

function addPage(routes: Routes, service: Service, { path, show, views = {}, forms = {}, isOperators = false }: Page): void {
  const toView = (view: Page['show']) => toViewRoute(service, isOperators ? forOperator(view) : view)
  const shown: Record<string, Page['show']> = { '': show, ...views }
  for (const [below, view] of Object.entries(shown)) routes.get(path + below, toView(view))
  for (const [below, form] of Object.entries(forms)) {
    const { act, refused = show, ...limits } = toForm(form)
    const guarded = isOperators ? { act: forOperator(act), refused: forOperator(refused) } : { act, refused }
    routes.post(path + below, toFormRoute(service, { ...guarded, ...limits }), { parse: 'none' })
    // A browser sends GET when a refused form is reloaded or bookmarked.
    if (shown[below] === undefined) routes.get(path + below, ({ params }) => redirect(toPath(path, params)))
  }
}

function toForm(form: Action | Form): Form {
  if (typeof form === 'function') return { act: form }
  return form.isOnce ? { ...form, act: onceForDoubleSubmit(form.act) } : form
}

const toPath = (path: string, params: Record<string, string>): string =>
  path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
