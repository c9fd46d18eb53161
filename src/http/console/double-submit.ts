import type { Act } from './handle.ts'
import type { PageRequest } from './page-request.ts'

/** How long after a form the same one is taken for a second click, in milliseconds. */
const DOUBLE_SUBMIT_MS = 2_000

/** The hidden field that tells one form shown from another that looks the same. */
export const FORM_FIELD = 'form'

/** Names a form that is about to be shown, for `FORM_FIELD`. */
export function newFormId({ service }: Pick<PageRequest, 'service'>): string {
  return service.random.uuid(service.clock.now())
}

/**
 * An act that shows what is shown once, a key or a link. The very form of the very session that comes a second time just after is given the
 * first one's answer: an impatient second click makes no second key, and does not put a refusal in the place of the new one. A form shown
 * anew, one in another session, and one that does not say which it is are acts of their own.
 */
export function onceForDoubleSubmit(act: Act): Act {
  const answers = new Map<string, Promise<Response>>()
  return async (req, form) => {
    if (!form.get(FORM_FIELD)) return act(req, form)
    const name = Bun.SHA256.hash(JSON.stringify([req.visitor.session.id, req.url.pathname, `${form}`]), 'hex')
    const answer = answers.get(name) ?? act(req, form)
    if (!answers.has(name)) {
      const forget = () => void answers.delete(name)
      answers.set(name, answer)
      answer.then(() => setTimeout(forget, DOUBLE_SUBMIT_MS).unref(), forget)
    }
    return (await answer).clone() as Response
  }
}
