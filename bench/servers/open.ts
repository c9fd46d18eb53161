import { authenticate } from '../../src/account/auth/authenticate.ts'
import { firstRun } from '../../src/account/organizations/first-run.ts'
import { readConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { rememberRecord } from '../../src/memory/records/save/remember.ts'
import { openService } from '../../src/service.ts'
import { NOTES } from './notes.ts'

/** Opens a service on a new folder with ten records, one of which matches the question of the benchmark. */
export async function openWithNotes(dataDir: string) {
  const { SVC_LOG, SVC_METRICS_TOKEN, SVC_TRACES_ENDPOINT } = process.env
  const config = { ...readConfig({ SVC_LOG, SVC_METRICS_TOKEN, SVC_TRACES_ENDPOINT }), dataDir }
  const clock = { now: () => Date.now(), ticks: () => performance.now() }
  const random = {
    uuid: (at: number) => Bun.randomUUIDv7('hex', at),
    bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
  }
  const service = await openService({
    config,
    clock,
    random,
    log: createLog(clock.now),
    version: '0.0.0',
    isServing: true,
  })
  const first = await firstRun(service)
  if (first === undefined) throw new Error('the folder is not new')
  await service.store.control.write((tx) =>
    tx.update('accounts', { id: first.account.id }, { limits: { callsPerKey: 1e9, callsPerProject: 1e9 } }),
  )
  const caller = await authenticate(service, `Bearer ${first.secret}`)
  for (const content of NOTES)
    await rememberRecord(service, { kind: 'caller', caller }, { content, projectId: caller.projectId })
  return { service, key: first.secret }
}

/** Prints the URL and the key for the process that started this one. */
export function announce(port: number | undefined, key: string): void {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${port}`, key }))
}
