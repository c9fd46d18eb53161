import type { Config } from '../config.ts'
import type { Exposition } from './exposition.ts'

/** Opens the metrics if the operator wants them; otherwise their library is not even loaded. */
export async function openExposition({
  metricsAddress,
  metricsToken,
}: Pick<Config, 'metricsAddress' | 'metricsToken'>): Promise<Exposition | undefined> {
  if (metricsAddress === undefined && metricsToken === undefined) return undefined
  const { createExposition } = await import('./exposition.ts')
  return createExposition()
}
