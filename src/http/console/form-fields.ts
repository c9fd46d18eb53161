import { Refusal } from '../../errors.ts'
import { normalize } from '../../text/normalize.ts'

/** UTF-16 units of what was typed that are looked at: names have at most 100 characters. */
const MAX_TYPED_LENGTH = 1_024

/** Throws a Refusal unless somebody typed the name of what they are about to remove for good. */
export function requireTypedName(form: URLSearchParams, name: string): void {
  const typed = form.get('typed') ?? ''
  const isTyped = typed.length <= MAX_TYPED_LENGTH && normalize(typed, 'NFC').trim() === normalize(name, 'NFC')
  if (!isTyped) throw new Refusal(`type '${name}' to confirm that it is to be removed`)
}
