import { createLru } from '../cache/lru.ts'
import type { Action } from './page.ts'
import type { PageRequest } from './request.ts'

/** How long after the response the same form counts as a double click. */
const DOUBLE_SUBMIT_MS = 2_000
/** Maximum number of responses kept per action, of about 10 KiB each; the least recently used is dropped. */
const MAX_ANSWERS = 200

/** The hidden field that holds the id of a form. */
const FORM_FIELD = 'form'

/** A new form id, which distinguishes it from another form with the same fields. */
export function newFormId({ service }: Pick<PageRequest, 'service'>): string {
  return service.random.uuid(service.clock.now())
}

/**
 * Protects an action that shows a secret once, such as a key or a link, against a double click: the same form of the same session, sent again while the first
 * is handled or within 2 seconds after, gets the first response. So there is no second key, and no error page replaces the first. A form without an id is not
 * recognised.
 */
export function onceForDoubleSubmit(act: Action): Action {
  const answers = createLru<string, Promise<Response>>({ maxEntries: MAX_ANSWERS })
  return async (req, form, file) => {
    if (!form.get(FORM_FIELD)) return act(req, form, file)
    const name = Bun.SHA256.hash(JSON.stringify([req.visitor.session.id, req.url.pathname, `${form}`]), 'hex')
    const first = answers.get(name)
    if (first !== undefined) return (await first).clone() as Response
    const answer = act(req, form, file)
    const forget = () => answers.delete(name)
    answers.set(name, answer)
    answer.then(() => setTimeout(forget, DOUBLE_SUBMIT_MS).unref(), forget)
    return (await answer).clone() as Response
  }
}
