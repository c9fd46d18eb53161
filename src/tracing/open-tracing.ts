import type { Tracing } from './tracing.ts'

/** Sends spans to a collector where the operator wants that; else the libraries for it are not even loaded. `onFailure` is told when they cannot be sent. */
export async function openTracing(
  endpoint: string | undefined,
  version: string,
  onFailure: (error: string) => void,
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined
  const { createTracing } = await import('./otlp.ts')
  return createTracing(endpoint, version, onFailure)
}
