import type { Sender } from '../account/limits/held-bytes.ts'
import { LIGHT_BODY_BYTES } from '../account/limits/traffic.ts'
import { isFinalRefusal, Refusal } from '../errors.ts'
import { announcedSize, readForm } from '../http/body.ts'
import type { Service } from '../service.ts'
import { normalize } from '../text/normalize.ts'
import { SHOWN } from './markup/form.ts'
import type { PostedFile, ReadPosted, Refused } from './page.ts'

/** Maximum size of a form of a signed-in member: a record of 64 KiB fits, fully percent-encoded. */
export const MAX_FORM_BYTES = 262_144

const NO_FILE: PostedFile = { name: '', bytes: new Uint8Array() }

/** Reads a member's form. Throws TooMany if the memory for large bodies is in use. */
export const readMemberForm: ReadPosted = async (service, request, req) => ({
  form: await holdingBody(service, request, req.visitor.member, MAX_FORM_BYTES, () =>
    readForm(request, MAX_FORM_BYTES),
  ),
  file: NO_FILE,
})

/**
 * Reads a body of at most `maxBytes` while the memory for it is counted. Throws TooMany if that for large bodies is in
 * use.
 */
export async function holdingBody<Value>(
  service: Service,
  { headers }: Request,
  sender: Sender,
  maxBytes: number,
  read: () => Promise<Value>,
): Promise<Value> {
  const size = announcedSize(headers, maxBytes)
  if (size <= LIGHT_BODY_BYTES || size > maxBytes) return read()
  const release = service.traffic.hold(sender, size)
  try {
    return await read()
  } finally {
    release()
  }
}

/** Maximum length of a confirmation, in UTF-16 code units. Names have at most 100 characters. */
const MAX_TYPED_LENGTH = 1_024

/** Throws a Refusal unless the name of the object was typed as confirmation, in any Unicode normalization form. */
export function requireTypedName(form: URLSearchParams, name: string): void {
  const typed = form.get('typed') ?? ''
  const isTyped = typed.length <= MAX_TYPED_LENGTH && normalize(typed, 'NFC').trim() === normalize(name, 'NFC')
  if (!isTyped) throw new Refusal(`what was typed is not '${name}': nothing has changed`, 'typed')
}

/**
 * The fields of a form that differ from what its page showed (`toShown`). Only these are to be changed: somebody else
 * may have changed the others since.
 */
export function readChanged(form: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...form].filter(([name, value]) => form.get(SHOWN + name) !== value))
}

/** Of values before a change those of the changed fields, to undo it. */
export const pickChanged = (changed: URLSearchParams, before: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(before).filter(([name]) => changed.has(name)))

/** Runs `act`, whose refusal is attributed to this field of the form, whatever name the service has for it. */
export async function atField<Result>(field: string, act: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await act()
  } catch (error) {
    if (error instanceof Refusal && error.field !== undefined) throw new Refusal(error.message, field)
    throw error
  }
}

/** The path in the field `back`, to return to after an action, if it is a page below `path`; otherwise `fallback`. */
export function readReturnPath(form: URLSearchParams, path: string, fallback: string): string {
  const back = form.get('back') ?? ''
  const isBelow =
    back.startsWith(path) && /^([/?][\w\-./?=&%+~*]*)?$/.test(back.slice(path.length)) && !/(\.|%2e){2}/i.test(back)
  return isBelow ? back : fallback
}

/** What `read` finds; if it refuses the filters in the page's address, the reason. @throws what else `read` throws. */
export async function readFiltered<Found>(read: () => Promise<Found>): Promise<{ found?: Found; refused?: Refused }> {
  try {
    return { found: await read() }
  } catch (error) {
    if (!isFinalRefusal(error)) throw error
    return { refused: { error: error.message, field: error.field } }
  }
}
