import { digestOf } from '../account/key.ts'
import type { Means } from '../account/means.ts'
import { OAuthError } from '../errors.ts'
import type { OAuthClient } from '../store/oauth.ts'
import { isDocumentUrl, requireDocumentClient } from './document.ts'
import { isSame } from './is-same.ts'
import { isForgotten } from './keep-client.ts'

/** The application that asks a person for access. Throws OAuthError for an unknown one, or TooMany for the address that asks. */
export async function requireClient(means: Means, id: string, address: string): Promise<OAuthClient> {
  return isDocumentUrl(id) ? requireDocumentClient(means, id, address) : requireKept(means, id)
}

/** The application that speaks to us itself; its document is not read again. Throws OAuthError for an unknown one or a wrong secret. */
export async function authenticateClient(
  means: Pick<Means, 'store' | 'clock'>,
  id: string,
  secret: string | undefined,
): Promise<OAuthClient> {
  const client = await requireKept(means, id)
  if (client.secretDigest !== null && !isSame(digestOf(secret ?? ''), client.secretDigest)) {
    throw new OAuthError('invalid_client', 'the client secret is missing or wrong')
  }
  return client
}

async function requireKept({ store, clock }: Pick<Means, 'store' | 'clock'>, id: string): Promise<OAuthClient> {
  const client = await store.control.findClient(id)
  if (client === undefined || isForgotten(client, clock.now())) throw new OAuthError('invalid_client', 'unknown client; register again')
  return client
}
