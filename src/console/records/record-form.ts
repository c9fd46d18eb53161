import { Refusal } from '../../errors.ts'
import type { SavedByHand } from '../../memory/records/save/remember.ts'
import { REJECTED } from '../../memory/rejections/pass-guard.ts'
import type { Scope } from '../../memory/visibility.ts'
import type { Done } from '../done-messages.ts'
import { type Option, SHOWN, toField, toTextArea, toTicked } from '../markup/form.ts'
import { type Html, html, inContext } from '../markup/html.ts'
import type { MemoryRequest } from '../page.ts'
import { redirectUndoable, type Undoing } from '../response.ts'
import { toRecordPath } from './record-card.ts'

/** The scopes that the author of a record can choose. */
export function toScopeOptions(hasDepartment: boolean): Option[] {
  return [
    { value: 'shared', label: 'shared: everybody' },
    ...(hasDepartment ? [{ value: 'department', label: 'department: yours' }] : []),
    { value: 'draft', label: 'draft: you alone' },
  ]
}

/** Where to go with a text that the guard rejected. */
export function toGuardHint(path: string): Html {
  return inContext(({ refused }) =>
    refused?.error === REJECTED
      ? html`<p class="quiet">Under <a href="${path}/guard">Guard</a> you can read why, and ask for its release.</p>`
      : html``,
  )
}

export const toAskedAs = (phrases: string[] = []): Html =>
  toTextArea(
    {
      name: 'asked_as',
      label: 'Asked as',
      value: phrases.join('\n'),
      hint: 'Other ways to ask for it, one per line, at most 12. Searches find the record by them, but do not show them.',
    },
    { rows: 3 },
  )

export const toExpiry = (value = ''): Html =>
  toField({
    name: 'expires_at',
    label: 'Expires',
    type: 'date',
    value,
    hint: 'From then on it counts as stale. Leave it empty if it does not expire.',
  })

export const CONFIRM = html`<div class="tick"><input id="confirm" name="confirm" type="checkbox" value="yes"${toTicked('confirm', 'yes')}><label for="confirm">I confirm that it is true: verify it</label></div>`

/**
 * Reads a text of several lines. Browsers send line ends as CRLF, which would make every line differ from what was
 * typed.
 */
export function readText(form: URLSearchParams | undefined, name: string): string {
  return (form?.get(name) ?? '').replaceAll('\r\n', '\n')
}

/** Reads the scope of a record. Throws a Refusal for an unknown value. */
export function readScope(text: string | null): Scope {
  if (text === 'shared' || text === 'department' || text === 'draft') return text
  throw new Refusal('choose a scope', 'scope')
}

const toPhrases = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '')

/** The phrases that were typed, one a line. */
export const readPhrases = (form: URLSearchParams): string[] => toPhrases(readText(form, 'asked_as'))

/** To the page of the saved record. A new one is undone by forgetting it, after which what it superseded is current. */
export function redirectTo(
  req: MemoryRequest,
  { id, isContested, created }: SavedByHand,
  done: Done,
  undoing: Undoing = { action: `${toRecordPath(req.path, id)}/forget` },
): Promise<Response> {
  const message = isContested ? 'record.contested' : done
  return redirectUndoable(req, message, created ? undoing : undefined, toRecordPath(req.path, id))
}

/**
 * The typed phrases, without those that somebody removed since the page was made, and with those added since. `present`
 * are those of the record now, one a line.
 */
export function readChangedPhrases(form: URLSearchParams, present: string): string[] {
  const now = new Set(toPhrases(present))
  const shown = form.has(`${SHOWN}asked_as`) ? new Set(toPhrases(readText(form, `${SHOWN}asked_as`))) : now
  const typed = new Set(readPhrases(form))
  const removed = shown.difference(now)
  return [...typed.difference(removed).union(now.difference(shown))]
}
