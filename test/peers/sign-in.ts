const CALLBACK = 'http://localhost:33418/callback'

/**
 * The OAuth client provider of both SDKs. It keeps everything in memory and records the URLs that a browser would open.
 */
export function createSignIn(clientMetadataUrl?: string) {
  const kept: Record<string, unknown> = {}
  const opened: URL[] = []
  const provider = {
    redirectUrl: CALLBACK,
    clientMetadata: { client_name: 'Test application', redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' },
    ...(clientMetadataUrl && { clientMetadataUrl }),
    state: () => 'a state of its own',
    clientInformation: () => kept.client,
    saveClientInformation: (client: unknown) => void Object.assign(kept, { client }),
    tokens: () => kept.tokens,
    saveTokens: (tokens: unknown) => void Object.assign(kept, { tokens }),
    codeVerifier: () => kept.verifier,
    saveCodeVerifier: (verifier: string) => void Object.assign(kept, { verifier }),
    redirectToAuthorization: (url: URL) => void opened.push(url),
    invalidateCredentials: (scope: string) => {
      if (scope === 'all') delete kept.client
      delete kept.tokens
    },
    discoveryState: () => kept.discovery,
    saveDiscoveryState: (discovery: unknown) => void Object.assign(kept, { discovery }),
  }
  return { provider, opened, kept }
}
