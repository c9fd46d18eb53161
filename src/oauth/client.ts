import type { AppContext } from '../account/context.ts'
import { OAuthError } from '../errors.ts'
import { digestOf } from '../secrets/key.ts'
import type { OAuthClient } from '../store/oauth.ts'
import { isDocumentUrl, requireDocumentClient } from './document.ts'
import { isSame } from './is-same.ts'
import { isForgotten } from './keep-client.ts'

/** The application that asks a person for access. Throws OAuthError for an unknown one, or TooMany for the address that asks. */
export async function requireClient(ctx: AppContext, id: string, address: string): Promise<OAuthClient> {
  return isDocumentUrl(id) ? requireDocumentClient(ctx, id, address) : requireKept(ctx, id)
}

/** The application that speaks to us itself; its document is not read again. Throws OAuthError for an unknown one or a wrong secret. */
export async function authenticateClient(ctx: AppContext, id: string, secret: string | undefined): Promise<OAuthClient> {
  const client = await requireKept(ctx, id)
  if (client.secretDigest !== null && !isSame(digestOf(secret ?? ''), client.secretDigest)) {
    throw new OAuthError('invalid_client', 'the client secret is missing or wrong')
  }
  return client
}

async function requireKept({ store, clock }: AppContext, id: string): Promise<OAuthClient> {
  const client = await store.control.findClient(id)
  if (client === undefined || isForgotten(client, clock.now())) throw new OAuthError('invalid_client', 'unknown client; register again')
  return client
}
