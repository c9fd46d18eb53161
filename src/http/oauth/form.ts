import { OAuthError, ProtocolError } from '../../errors.ts'
import { type Parameters, readParameters } from '../../oauth/parameters.ts'
import { readBody } from '../body.ts'

/** The largest body of a request for access, in bytes. */
const MAX_BODY = 32_768

/** The fields of a posted form. Throws OAuthError. */
export async function readForm(request: Request): Promise<Parameters> {
  return readParameters(new URLSearchParams(await readText(request, 'application/x-www-form-urlencoded')))
}

/** The body as text, of this media type. Throws OAuthError. */
export async function readText(request: Request, type: string): Promise<string> {
  const sent = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (sent !== type) throw new OAuthError('invalid_request', `Content-Type must be ${type}`)
  try {
    return await readBody(request, MAX_BODY)
  } catch (error) {
    if (error instanceof ProtocolError)
      throw new OAuthError('invalid_request', `the body is larger than ${MAX_BODY} bytes, or not UTF-8 text`)
    throw error
  }
}
