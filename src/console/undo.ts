import { findUndo, keepUndo } from '../account/undo.ts'
import { Refusal } from '../errors.ts'
import type { Done } from './done-messages.ts'
import { toButton } from './markup/form.ts'
import type { Html } from './markup/html.ts'
import type { Action, PageRequest } from './page.ts'
import { redirect } from './response.ts'

type Fields = Record<string, string> | [name: string, value: string][]

/** The fields of the form that undoes an act, and its path unless it is the form of the act itself. */
export type Undoing = { action?: string; fields?: Fields }

/**
 * The action of a form: does `act`, then redirects with `message` and a button that undoes it. `toUndoing` reads the
 * values to restore before the act; where it returns undefined, there is no button.
 */
export function undoable<Req extends PageRequest>(
  message: Done,
  act: (req: Req, form: URLSearchParams) => unknown,
  toUndoing: (req: Req, form: URLSearchParams) => Undoing | undefined,
): Action<Req> {
  return async (req, form) => {
    const undoing = toUndoing(req, form)
    await act(req, form)
    return redirectUndoable(req, message, undoing)
  }
}

/** Redirects to the page with a message that can undo the act; without `undoing`, with the message alone. */
export async function redirectUndoable(req: PageRequest, message: Done, undoing?: Undoing, path = req.at) {
  const { action = req.url.pathname, fields } = undoing ?? {}
  return redirect(path, message, undoing && { query: await offerUndo(req, action, fields) })
}

/**
 * Lets the visitor undo what was just done, for ten minutes: by a button in the message after it, which posts these
 * fields to `action`, the path of a form of the console. Any act that has such a form can be undone; the form checks
 * rights as always. Returns what the redirect's query must have.
 */
export async function offerUndo(
  { service, visitor }: Pick<PageRequest, 'service' | 'visitor'>,
  action: string,
  fields: Fields = {},
): Promise<{ undo: string }> {
  const entries = Array.isArray(fields) ? fields : Object.entries(fields)
  return { undo: await keepUndo(service, visitor.member, { action, fields: entries }) }
}

/** The button that undoes the act named in the page's address, and returns to `back`; undefined if it no longer can. */
export async function toUndoButton({ service, visitor, url }: PageRequest, back: string): Promise<Html | undefined> {
  const id = url.searchParams.get('undo')
  const undo = id === null ? undefined : await findUndo(service, visitor.member, id)
  return undo && toButton(undo.action, 'Undo', { fields: { undo: undo.id, back } })
}

/**
 * The form as posted or, if it undoes something, as it was kept for that.
 *
 * @throws Refusal if it was kept for somebody else or another form, or more than ten minutes ago.
 */
export async function fillUndo({ service, visitor, url }: PageRequest, form: URLSearchParams) {
  const id = form.get('undo')
  if (id === null) return { form, isUndo: false }
  const undo = await findUndo(service, visitor.member, id)
  if (undo?.action !== url.pathname) throw new Refusal('it can no longer be undone')
  return { form: new URLSearchParams([...undo.fields, ['back', form.get('back') ?? '']]), isUndo: true }
}
