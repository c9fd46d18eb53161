import type { Tracing } from './tracing.ts'

/**
 * Opens tracing if the operator configured a collector; otherwise its libraries are not even loaded. `onFailure` is
 * called if spans cannot be sent.
 */
export async function openTracing(
  endpoint: string | undefined,
  version: string,
  onFailure: (error: string) => void,
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined
  const { createTracing } = await import('./otlp.ts')
  return createTracing(endpoint, version, onFailure)
}
