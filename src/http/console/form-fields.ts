import { Refusal } from '../../errors.ts'
import { normalize } from '../../text/normalize.ts'
import type { FormState } from './page-request.ts'

/** The typed value of a field of a refused form; otherwise `initial`. */
export function typedValue({ fields }: FormState, name: string, initial = ''): string {
  return fields?.get(name) ?? initial
}

/** Maximum length of a confirmation, in UTF-16 code units. Names have at most 100 characters. */
const MAX_TYPED_LENGTH = 1_024

/** Throws a Refusal unless the name of the object was typed as confirmation, in any Unicode normalization form. */
export function requireTypedName(form: URLSearchParams, name: string): void {
  const typed = form.get('typed') ?? ''
  const isTyped = typed.length <= MAX_TYPED_LENGTH && normalize(typed, 'NFC').trim() === normalize(name, 'NFC')
  if (!isTyped) throw new Refusal(`what was typed is not '${name}': nothing has changed`, 'typed')
}

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
  const isBelow = back.startsWith(path) && /^([/?][\w\-./?=&%+~*]*)?$/.test(back.slice(path.length)) && !/(\.|%2e){2}/i.test(back)
  return isBelow ? back : fallback
}
