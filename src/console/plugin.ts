import { Elysia } from 'elysia'
import { isOperatingMember } from '../account/auth/actor.ts'
import type { Service } from '../service.ts'
import { account } from './account/account.ts'
import { audit } from './account/audit.ts'
import { integration } from './account/integration.ts'
import { integrations } from './account/integrations.ts'
import { people } from './account/people.ts'
import { person } from './account/person.ts'
import { createDoubleSubmits } from './double-submits.ts'
import { toNotFoundPage } from './error-pages.ts'
import { fillPath, toFormRoute, toViewRoute } from './frame.ts'
import { home } from './home.ts'
import { jump } from './jump.ts'
import { me } from './me.ts'
import { operatedAccount } from './operator/account.ts'
import { backups } from './operator/backups.ts'
import { operator } from './operator/operator.ts'
import type { Action, Answer, Form, Page, PageRequest, View } from './page.ts'
import { calls } from './project/calls.ts'
import { connections } from './project/connections.ts'
import { toEvents } from './project/events.ts'
import { guard } from './project/guard.ts'
import { imports } from './project/import.ts'
import { key } from './project/key.ts'
import { keys } from './project/keys.ts'
import { overview } from './project/overview.ts'
import { settings } from './project/settings.ts'
import { start } from './project/start.ts'
import { unanswered } from './project/unanswered.ts'
import { edit } from './records/edit-record.ts'
import { newRecord } from './records/new-record.ts'
import { record } from './records/record.ts'
import { exports, records } from './records/records.ts'
import { reviewPage } from './records/review.ts'
import { sources } from './records/sources.ts'
import { trash } from './records/trash.ts'
import { redirect } from './response.ts'
import { rememberLines } from './sessions/remember.ts'
import { session } from './sessions/session.ts'
import { sessions } from './sessions/sessions.ts'
import { signInPages } from './sign-in.ts'

const PAGES: Page[] = [
  ...[home, jump, me, operator, operatedAccount, backups],
  ...[overview, start, keys, key, ...calls, unanswered, ...connections, settings, imports, guard],
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
  const protect = protectActions()
  for (const page of [...PAGES, toEvents()]) addPage(routes, service, page, protect)
  return routes.get('/console/*', toViewRoute(service, '/console', showNowhere))
}

function addPage(
  routes: Routes,
  service: Service,
  { path, show, views = {}, forms = {}, isOperators = false }: Page,
  protect: (act: Action) => Action,
): void {
  const toView = (view: View) => (isOperators ? forOperator(view) : view)
  const shown: Record<string, View> = { '': show, ...views }
  for (const [below, view] of Object.entries(shown)) routes.get(path + below, toViewRoute(service, path, toView(view)))
  for (const [below, form] of Object.entries(forms)) {
    const { act, refused = show, ...limits }: Form = typeof form === 'function' ? { act: form } : form
    const guarded = { act: protect(isOperators ? forOperator(act) : act), refused: toView(refused), ...limits }
    routes.post(path + below, toFormRoute(service, path, guarded), { parse: 'none' })
    // A browser sends GET when a refused form is reloaded or bookmarked.
    if (shown[below] === undefined) routes.get(path + below, ({ params }) => redirect(fillPath(path, params)))
  }
}

const showNowhere: View = async () => ({ title: 'Not found', section: '', body: toNotFoundPage(), status: 404 })

/** The same answer for the operator; for everybody else status 404, as if it did not exist. */
function forOperator<Rest extends unknown[]>(answer: (req: PageRequest, ...rest: Rest) => Promise<Answer>) {
  return async (req: PageRequest, ...rest: Rest): Promise<Answer> =>
    (await isOperatingMember(req.service.store.control, req.visitor)) ? answer(req, ...rest) : showNowhere(req)
}

/**
 * Protects actions against a double click. The same form of the same page and session, sent twice, gets the first
 * answer: so there is no second key, and no page that says that it was done before replaces the first. A form without
 * an id is not recognized.
 */
function protectActions(): (act: Action) => Action {
  const once = createDoubleSubmits<Answer>()
  return (act) => async (req, form, file) => {
    if (!form.get('form')) return act(req, form, file)
    const answer = await once([req.visitor.session.id, req.url.pathname, `${form}`], () => act(req, form, file))
    // The body of a response is read once.
    return answer instanceof Response ? (answer.clone() as Response) : answer
  }
}
