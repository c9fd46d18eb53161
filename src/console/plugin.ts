import { Elysia } from 'elysia'
import { isOperatingMember } from '../account/auth/actor.ts'
import { createLru } from '../cache/lru.ts'
import type { Service } from '../service.ts'
import { account } from './account/account.ts'
import { audit } from './account/audit.ts'
import { integration } from './account/integration.ts'
import { integrations } from './account/integrations.ts'
import { people } from './account/people.ts'
import { person } from './account/person.ts'
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
import { record } from './records/record.ts'
import { exports, records } from './records/records.ts'
import { reviewPage } from './records/review.ts'
import { sources } from './records/sources.ts'
import { trash } from './records/trash.ts'
import { edit, newRecord } from './records/write.ts'
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
  const once = createDoubleSubmits()
  for (const page of [...PAGES, toEvents()]) addPage(routes, service, page, once)
  return routes.get('/console/*', toViewRoute(service, '/console', showNowhere))
}

function addPage(
  routes: Routes,
  service: Service,
  { path, show, views = {}, forms = {}, isOperators = false }: Page,
  once: (act: Action) => Action,
): void {
  const toView = (view: View) => (isOperators ? forOperator(view) : view)
  const shown: Record<string, View> = { '': show, ...views }
  for (const [below, view] of Object.entries(shown)) routes.get(path + below, toViewRoute(service, path, toView(view)))
  for (const [below, form] of Object.entries(forms)) {
    const { act, refused = show, ...limits }: Form = typeof form === 'function' ? { act: form } : form
    const guarded = { act: once(isOperators ? forOperator(act) : act), refused: toView(refused), ...limits }
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

/** How long after the response the same form counts as a double click. */
const DOUBLE_SUBMIT_MS = 2_000
/** Maximum number of answers kept, most of them redirects; the least recently used is dropped. */
const MAX_ANSWERS = 200

/**
 * Protects actions against a double click: the same form of the same page and session, sent again while the first is
 * handled or within 2 seconds after, gets the first answer. So there is no second key, and no page that says that it
 * was done before replaces the first. A refused form is handled again, and so is one without an id.
 */
function createDoubleSubmits(): (act: Action) => Action {
  const answers = createLru<string, Promise<Answer>>({ maxEntries: MAX_ANSWERS })
  return (act) => async (req, form, file) => {
    if (!form.get('form')) return act(req, form, file)
    const name = Bun.SHA256.hash(JSON.stringify([req.visitor.session.id, req.url.pathname, `${form}`]), 'hex')
    const answer = answers.get(name) ?? act(req, form, file)
    if (answers.peek(name) === undefined) {
      const forget = () => answers.delete(name)
      answers.set(name, answer)
      answer.then(() => setTimeout(forget, DOUBLE_SUBMIT_MS).unref(), forget)
    }
    const answered = await answer
    // The body of a response is read once.
    return answered instanceof Response ? (answered.clone() as Response) : answered
  }
}
