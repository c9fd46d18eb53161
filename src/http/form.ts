import { ProtocolError, Refusal, TooLarge } from '../errors.ts'
import { readBody } from './body.ts'

const FORM_TYPE = 'application/x-www-form-urlencoded'
/** Maximum number of fields of a form, in any format. */
const MAX_FORM_FIELDS = 1_000

/**
 * The fields of a posted form of at most `maxBytes`. Throws TooLarge for a larger body, and a Refusal for another media type, more than 1,000 fields,
 * text that is not UTF-8, and a body that does not arrive in time.
 */
export async function readForm(request: Request, maxBytes: number): Promise<URLSearchParams> {
  const text = await readText(request, FORM_TYPE, maxBytes)
  requireFieldCount(text.split('&', MAX_FORM_FIELDS + 1).length)
  return new URLSearchParams(text)
}

/** Throws a Refusal if a form has more fields than any page of the console. */
export function requireFieldCount(count: number): void {
  if (count > MAX_FORM_FIELDS) throw new Refusal('the form has too many fields')
}

/** The body as text of this media type, at most `maxBytes`. Throws TooLarge and Refusal like `readForm`. */
export async function readText(request: Request, type: string, maxBytes: number): Promise<string> {
  const sent = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (sent !== type) throw new Refusal(`Content-Type must be ${type}`)
  try {
    return await readBody(request, maxBytes)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    if (error.status === 413) throw new TooLarge(`the body is larger than ${maxBytes} bytes`)
    throw new Refusal('the body was not there in time, or is not UTF-8 text')
  }
}
