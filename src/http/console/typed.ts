import { Refusal } from '../../errors.ts'

/** Throws a Refusal unless somebody typed the name of what they are about to remove for good. */
export function requireTyped(form: URLSearchParams, name: string): void {
  if ((form.get('typed') ?? '').normalize('NFC').trim() !== name) throw new Refusal(`type '${name}' to confirm that it is to be removed`)
}
