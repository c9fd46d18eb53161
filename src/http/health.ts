import { Elysia } from 'elysia'
import { atMostEvery } from '../cache/at-most-every.ts'
import { SECOND_MS } from '../clock.ts'
import { StorageRefusal } from '../errors.ts'
import { toStorageFault } from '../log.ts'
import type { Service } from '../service.ts'

/** How long a successful check is reused: each check writes to the disk, and anybody who reaches the port may ask. */
const CHECK_PERIOD_MS = SECOND_MS

/**
 * `GET /healthz`: 200 while the process answers. `GET /readyz`: 200 if accounts and projects can be read and written,
 * with the free disk space or the response time of the database, the ids of projects that are damaged, if there are
 * any, and the time of the last commit; otherwise 503, with the reason if it concerns the storage.
 */
export function health(service: Service) {
  const check = atMostEvery(CHECK_PERIOD_MS, service.clock.ticks, service.store.check)
  return new Elysia({ name: 'health' })
    .get('/healthz', () => ({ status: 'ok', version: service.version }))
    .get('/readyz', async ({ set }) => {
      try {
        const { freeBytes, lastCommitAt, databaseMs, damaged } = await check()
        return {
          status: 'ok',
          ...(databaseMs === undefined
            ? { free_bytes: freeBytes, ...(damaged !== undefined && damaged.length > 0 && { damaged }) }
            : { database: { role: 'primary', latency_ms: toHundredths(databaseMs) } }),
          last_commit_at: lastCommitAt === undefined ? null : new Date(lastCommitAt).toISOString(),
        }
      } catch (error) {
        service.log('not ready', { error: toStorageFault(error) })
        set.status = 503
        return { status: error instanceof StorageRefusal ? error.reason : 'the store does not answer' }
      }
    })
}

const toHundredths = (value: number) => Math.round(value * 100) / 100
