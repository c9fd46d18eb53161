import { type Static, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { normalize } from '../text/normalize.ts'
import { OAuthError } from './oauth-error.ts'
import { isRedirectUri } from './redirect-uri.ts'

const MAX_REDIRECT_URIS = 20
/** Maximum total length of an application's redirect URIs. */
const MAX_URI_CHARACTERS = 4_096
/** UTF-16 units of a name that are read. */
const MAX_NAME_READ_LENGTH = 400
/** Characters of a name that are stored. */
const MAX_NAME_CHARACTERS = 80

const text = Type.String({ maxLength: 200 })
const texts = Type.Array(text, { maxItems: 50 })

/**
 * The metadata of an application, from its registration (RFC 7591) or its metadata document. Other properties are
 * ignored.
 */
const ClientMetadata = Type.Object({
  redirect_uris: Type.Array(Type.String(), { minItems: 1, maxItems: MAX_REDIRECT_URIS }),
  client_name: Type.Optional(Type.String()),
  grant_types: Type.Optional(texts),
  response_types: Type.Optional(texts),
  token_endpoint_auth_method: Type.Optional(text),
  token_endpoint_auth_methods_supported: Type.Optional(texts),
})

export type ClientMetadata = Static<typeof ClientMetadata>

const validator = Compile(ClientMetadata)

/**
 * Checks the metadata of an application.
 *
 * @throws OAuthError for metadata that this server does not support.
 */
export function readClientMetadata(value: unknown): ClientMetadata {
  const given = withoutNulls(value)
  if (!validator.Check(given)) {
    const [error] = validator.Errors(given)
    throw new OAuthError(
      'invalid_client_metadata',
      `client metadata${error?.instancePath ?? ''} ${error?.message ?? 'is not valid'}`,
    )
  }
  const characters = given.redirect_uris.reduce((sum, uri) => sum + uri.length, 0)
  if (characters > MAX_URI_CHARACTERS) {
    throw new OAuthError(
      'invalid_redirect_uri',
      `redirect_uris have more than ${MAX_URI_CHARACTERS} characters together`,
    )
  }
  const wrong = given.redirect_uris.find((uri) => !isRedirectUri(uri))
  if (wrong !== undefined)
    throw new OAuthError('invalid_redirect_uri', `'${wrong.slice(0, 200)}' cannot be redirected to`)
  if (given.grant_types?.includes('authorization_code') === false)
    throw refused("grant_types must include 'authorization_code'")
  if (given.response_types?.includes('code') === false) throw refused("response_types must include 'code'")
  return given
}

/**
 * An application's name for people to read: at most 80 characters, none of them a control or format character, which
 * could hide or reverse other text.
 */
export function toShownName(name: string | undefined): string {
  const visible = normalize((name ?? '').slice(0, MAX_NAME_READ_LENGTH), 'NFC')
    .replace(/\p{C}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
  return [...visible].slice(0, MAX_NAME_CHARACTERS).join('')
}

function refused(reason: string): OAuthError {
  return new OAuthError('invalid_client_metadata', reason)
}

/** Some clients send null for properties that they do not have. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).filter(([, inner]) => inner !== null))
}
