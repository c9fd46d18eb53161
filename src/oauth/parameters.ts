import { OAuthError } from '../errors.ts'

/** The parameters of a request by name; one without a value counts as not sent. */
export type Parameters = Record<string, string | undefined>

/**
 * Reads a query or a form.
 *
 * @throws OAuthError for a parameter sent twice (RFC 6749, 3.1); of `resource`, which may be sent twice (RFC 8707),
 *   because only one resource is served.
 */
export function readParameters(given: URLSearchParams): Parameters {
  const read: Parameters = {}
  for (const [name, value] of given) {
    if (value === '') continue
    if (Object.hasOwn(read, name)) throw repeated(name)
    read[name] = value
  }
  return read
}

const MAX_PARAMETER_CHARACTERS = 2_048

/**
 * The value of a parameter that must be sent.
 *
 * @throws OAuthError that names it, if it is missing or longer than 2 048 characters.
 */
export function requireParameter(parameters: Parameters, name: string): string {
  const value = parameters[name]
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing`)
  if (value.length > MAX_PARAMETER_CHARACTERS) throw new OAuthError('invalid_request', `${name} is too long`)
  return value
}

function repeated(name: string): OAuthError {
  return new OAuthError(name === 'resource' ? 'invalid_target' : 'invalid_request', `${name} is sent more than once`)
}
