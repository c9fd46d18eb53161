import { OAuthError } from '../errors.ts'

/** The parameters of a request by name; one without a value counts as not sent. */
export type Parameters = Record<string, string | undefined>

/** Reads a query or a form. Throws OAuthError for a parameter sent twice (RFC 6749, 3.1); more than one resource is none of ours. */
export function readParameters(given: URLSearchParams): Parameters {
  const read: Parameters = {}
  for (const [name, value] of given) {
    if (value === '') continue
    if (Object.hasOwn(read, name)) throw repeated(name)
    read[name] = value
  }
  return read
}

/** A parameter that must be there, within its length. Throws OAuthError that names it. */
export function requireParameter(parameters: Parameters, name: string, longest = 2048): string {
  const value = parameters[name]
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing`)
  if (value.length > longest) throw new OAuthError('invalid_request', `${name} is too long`)
  return value
}

function repeated(name: string): OAuthError {
  return new OAuthError(name === 'resource' ? 'invalid_target' : 'invalid_request', `${name} is sent more than once`)
}
