import type { Config } from '../config.ts'
import type { Exposition } from './exposition.ts'

/** What measures the service where the operator wants that; else the library for it is not even loaded. */
export async function openExposition({
  metricsAddress,
  metricsToken,
}: Pick<Config, 'metricsAddress' | 'metricsToken'>): Promise<Exposition | undefined> {
  if (metricsAddress === undefined && metricsToken === undefined) return undefined
  const { createExposition } = await import('./exposition.ts')
  return createExposition()
}
