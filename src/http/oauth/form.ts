import { OAuthError, ProtocolError, TooLarge } from '../../errors.ts'
import { type Parameters, readParameters } from '../../oauth/parameters.ts'
import { MAX_ANONYMOUS_BODY_BYTES, readBody } from '../body.ts'

/** The fields of a posted form. Throws OAuthError, and TooLarge beyond 16 KiB. */
export async function readForm(request: Request): Promise<Parameters> {
  return readParameters(new URLSearchParams(await readText(request, 'application/x-www-form-urlencoded')))
}

/** The body as text, of this media type. Throws OAuthError, and TooLarge beyond 16 KiB. */
export async function readText(request: Request, type: string): Promise<string> {
  const sent = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (sent !== type) throw new OAuthError('invalid_request', `Content-Type must be ${type}`)
  try {
    return await readBody(request, MAX_ANONYMOUS_BODY_BYTES)
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    if (error.status === 413) throw new TooLarge(`the body is larger than ${MAX_ANONYMOUS_BODY_BYTES} bytes`)
    throw new OAuthError('invalid_request', 'the body was not there in time, or is not UTF-8 text')
  }
}
