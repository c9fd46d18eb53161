import type { AppContext } from '../../account/context.ts'
import { OAuthError } from '../../errors.ts'
import { authenticateClient } from '../../oauth/client.ts'
import type { Parameters } from '../../oauth/parameters.ts'
import type { OAuthClient } from '../../store/oauth.ts'

type Credentials = { id: string | undefined; secret: string | undefined }

/** The application that sent a form, by Basic or by the form itself. Throws OAuthError. */
export async function requireSender(ctx: AppContext, request: Request, form: Parameters): Promise<OAuthClient> {
  const header = request.headers.get('authorization')
  const { id, secret } = header === null ? { id: form.client_id, secret: form.client_secret } : readBasic(header, form)
  if (id === undefined) throw new OAuthError('invalid_client', 'client_id is missing')
  return authenticateClient(ctx, id, secret)
}

/** RFC 6749, 2.3.1: both parts are form-encoded before they are joined; some clients leave that out, which is the same for ours. */
function readBasic(header: string, form: Parameters): Credentials {
  const [, encoded = ''] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(header) ?? []
  const [, id, secret] = /^([^:]+):(.*)$/.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? []
  if (id === undefined || secret === undefined) throw new OAuthError('invalid_client', 'the Authorization header is not HTTP Basic')
  if (form.client_secret !== undefined) throw new OAuthError('invalid_request', 'the client authenticates in two ways')
  return { id: decode(id), secret: decode(secret) }
}

function decode(text: string): string {
  return new URLSearchParams(`v=${text.replaceAll('&', '%26')}`).get('v') ?? ''
}
