import { isOperatingMember } from '../account/auth/authorize.ts'
import type { PostedFile, ReadPosted } from './form.ts'
import { type FormState, type PageRequest, toNowhere } from './request.ts'

/** Renders a page. `state` is empty unless the page shows a refused form. */
export type View<Req = PageRequest> = (req: Req, state: FormState) => Promise<Response>

/** Handles a posted form, and responds with a page or a redirect. `file` is set if the form reads bodies with a file. */
export type Action<Req = PageRequest> = (req: Req, form: URLSearchParams, file: PostedFile) => Promise<Response>

/** An action with its own limits. */
export type Form<Req = PageRequest> = {
  act: Action<Req>
  /** Shows the form again if it was refused; by default the page. */
  refused?: View<Req>
  /** Whether a double click gets the first response twice, because it shows something once. */
  isOnce?: boolean
  /** The window that limits how often a member may send it. */
  limit?: 'form by' | 'leaving by' | 'part by'
  read?: ReadPosted
}

/** A page of the console: what its path shows, and what the forms below it do. */
export type Page<Req = PageRequest> = {
  path: string
  show: View<Req>
  /** What other paths show, by what follows `path`. */
  views?: Record<string, View<Req>>
  /** The forms, by what follows `path`. */
  forms?: Record<string, Action<Req> | Form<Req>>
  /** Whether it is for the operator only. For everybody else it does not exist. */
  isOperators?: boolean
}

type Answer<Req, Rest extends unknown[]> = (req: Req, ...rest: Rest) => Promise<Response>

/** A page of what its path names. `open` finds that, or refuses the visitor, before each view and action; they get it with the request. */
export function pageOf<Place>(open: (req: PageRequest) => Promise<Place>, page: Page<PageRequest & Place>): Page {
  const opened =
    <Rest extends unknown[]>(answer: Answer<PageRequest & Place, Rest>): Answer<PageRequest, Rest> =>
    async (req, ...rest) =>
      answer({ ...req, ...(await open(req)) }, ...rest)
  const toForm = (form: Action<PageRequest & Place> | Form<PageRequest & Place>): Action | Form => {
    if (typeof form === 'function') return opened(form)
    const { act, refused, ...limits } = form
    return { act: opened(act), ...(refused && { refused: opened(refused) }), ...limits }
  }
  const { show, views = {}, forms = {}, ...rest } = page
  return { ...rest, show: opened(show), views: mapValues(views, opened), forms: mapValues(forms, toForm) }
}

const mapValues = <From, To>(values: Record<string, From>, to: (value: From) => To): Record<string, To> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value)]))

/** The same answer for the operator; for everybody else status 404, as if it did not exist. */
export function forOperator<Rest extends unknown[]>(answer: Answer<PageRequest, Rest>): Answer<PageRequest, Rest> {
  return async (req, ...rest) => ((await isOperatingMember(req.service.store.control, req.visitor)) ? answer(req, ...rest) : toNowhere(req))
}
