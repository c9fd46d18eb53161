import type { AppContext } from '../../account/context.ts'
import { OAuthError, Refusal, TooLarge } from '../../errors.ts'
import { tryParseJson } from '../../jsonrpc.ts'
import { authenticateClient } from '../../oauth/client.ts'
import { type Parameters, readParameters } from '../../oauth/parameters.ts'
import type { OAuthClient } from '../../store/oauth.ts'
import { MAX_ANONYMOUS_BODY_BYTES, readForm, readText } from '../body.ts'

/** The parameters of a posted form. Throws OAuthError, and TooLarge beyond 16 KiB. */
export async function readFormParameters(request: Request): Promise<Parameters> {
  return readParameters(await readForm(request, MAX_ANONYMOUS_BODY_BYTES).catch(throwOAuthError))
}

/** A posted JSON value. Throws OAuthError, and TooLarge beyond 16 KiB. */
export async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request, 'application/json', MAX_ANONYMOUS_BODY_BYTES).catch(throwOAuthError)
  const value = tryParseJson(text)
  if (value === undefined) throw new OAuthError('invalid_client_metadata', 'the body is not JSON')
  return value
}

function throwOAuthError(error: unknown): never {
  if (!(error instanceof Refusal) || error instanceof TooLarge) throw error
  throw new OAuthError('invalid_request', error.message)
}

type Credentials = { id: string | undefined; secret: string | undefined }

/** Authenticates the application that sent a form, by HTTP Basic or by fields of the form. Throws OAuthError. */
export async function requireClient(ctx: AppContext, request: Request, form: Parameters): Promise<OAuthClient> {
  const header = request.headers.get('authorization')
  const { id, secret } = header === null ? { id: form.client_id, secret: form.client_secret } : readBasic(header, form)
  if (id === undefined) throw new OAuthError('invalid_client', 'client_id is missing')
  return authenticateClient(ctx, id, secret)
}

/**
 * RFC 6749, 2.3.1: both parts are form-encoded. Some clients leave that out; ids and secrets that this service issues
 * are the same in both forms.
 */
function readBasic(header: string, form: Parameters): Credentials {
  const [, encoded = ''] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header) ?? []
  const [, id, secret] = /^([^:]+):(.*)$/.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  if (id === undefined || secret === undefined)
    throw new OAuthError('invalid_client', 'the Authorization header is not HTTP Basic')
  if (form.client_secret !== undefined) throw new OAuthError('invalid_request', 'the client authenticates in two ways')
  return { id: decode(id), secret: decode(secret) }
}

function decode(text: string): string {
  return new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? ''
}
