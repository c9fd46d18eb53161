import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { authenticate } from '../src/account/auth/authenticate.ts'
import { firstRun } from '../src/account/organizations/first-run.ts'
import { readConfig } from '../src/config.ts'
import { openService } from '../src/service.ts'

/**
 * A new service on a temporary folder, with a caller who may do everything in its one project. `ticks` is its monotonic
 * clock, in milliseconds.
 */
export async function openBenchService({ ticks = () => performance.now() } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'memsvc-bench-'))
  const clock = { now: Date.now, ticks }
  const random = {
    uuid: (at: number) => Bun.randomUUIDv7('hex', at),
    bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
  }
  const config = { ...readConfig({}), port: 0, dataDir, clientDocuments: 'off' as const }
  const service = await openService({ config, clock, random, log: () => {}, version: 'bench' })
  const first = await firstRun(service)
  if (first === undefined) throw new Error('the folder is not new')
  const caller = await authenticate(service, `Bearer ${first.secret}`)
  const close = async () => {
    await service.close()
    rmSync(dataDir, { recursive: true })
  }
  return {
    service,
    caller,
    secret: first.secret,
    dataDir,
    projectFile: join(dataDir, 'projects', `${caller.projectId}.db`),
    close,
  }
}
