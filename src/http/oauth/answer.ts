import { OAuthError, TooLarge, TooMany } from '../../errors.ts'

/** What an application gets back must be kept by nobody on the way. */
const HEADERS = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }

/** Answers an application in JSON, or with the error that its request ran into; throws again what is our bug. */
export async function answerApplication(request: Request, act: () => Promise<object | undefined>, status = 200): Promise<Response> {
  try {
    const value = await act()
    return value === undefined ? new Response(null, { status, headers: HEADERS }) : Response.json(value, { status, headers: HEADERS })
  } catch (error) {
    if (error instanceof TooMany) return toFailure(429, 'temporarily_unavailable', error.message, { 'Retry-After': String(error.seconds) })
    if (error instanceof TooLarge) return toFailure(413, 'invalid_request', error.message)
    if (!(error instanceof OAuthError)) throw error
    if (error.code !== 'invalid_client') return toFailure(400, error.code, error.message)
    // RFC 6749, 5.2: one who tried Basic is told that Basic is what is asked for.
    const challenge = request.headers.has('authorization') ? { 'WWW-Authenticate': 'Basic realm="memsvc"' } : undefined
    return toFailure(401, error.code, error.message, challenge)
  }
}

function toFailure(status: number, error: string, error_description: string, headers: Record<string, string> = {}): Response {
  return Response.json({ error, error_description }, { status, headers: { ...HEADERS, ...headers } })
}
