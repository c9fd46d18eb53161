/** Secrets in texts: the last part of a sign-in link's path, keys and tokens, codes and secrets in a query string. */
const SECRETS: [RegExp, string][] = [
  [/(\/console\/(?:enter|join)\/)[^\s"'\\?#<>/]+/g, '$1…'],
  [/\b(sv[co]_)[A-Za-z0-9_-]+/g, '$1…'],
  [/([?&](?:code|state|ticket|token|key|password|client_secret|code_verifier)=)[^\s"'\\&#<>]+/g, '$1…'],
]

/** Replaces secrets in a text by `…`. Takes linear time. */
export function maskSecrets(text: string): string {
  return SECRETS.reduce((masked, [pattern, replacement]) => masked.replace(pattern, replacement), text)
}
