import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { actingAs, type Caller } from '../../src/account/auth/caller.ts'
import { firstRun } from '../../src/account/organizations/first-run.ts'
import { readConfig } from '../../src/config.ts'
import { openService } from '../../src/service.ts'

/**
 * A service on a database, or without one on a folder of its own, with a caller who may do everything in a project.
 * `shared` is the clock of windows in place of the database's.
 */
export async function openOn(databaseUrl: string | undefined, shared?: () => number) {
  const dataDir = mkdtempSync(join(tmpdir(), 'memsvc-bench-'))
  const clock = { now: Date.now, ticks: () => performance.now(), ...(shared && { shared }) }
  const random = {
    uuid: (at: number) => Bun.randomUUIDv7('hex', at),
    bytes: (length: number) => crypto.getRandomValues(new Uint8Array(length)),
  }
  const config = {
    ...readConfig({}),
    port: 0,
    dataDir,
    databaseUrl,
    secretKeys: [new Uint8Array(32)],
    clientDocuments: 'off' as const,
  }
  const service = await openService({ config, clock, random, log: () => {}, version: 'bench' })
  await firstRun(service)
  const [account] = await service.store.control.list('accounts', {})
  if (account === undefined) throw new Error('there is no account')
  const [project] = await service.store.control.list('projects', { accountId: account.id })
  const [member] = await service.store.control.list('members', { accountId: account.id })
  if (project === undefined) throw new Error('there is no project')
  return {
    service,
    first: { account, projectId: project.id, authorId: member?.id ?? 'bench' },
    callerOf: (projectId: string): Caller => actingAs(account, { ...project, id: projectId }, member),
    close: async () => {
      await service.close()
      rmSync(dataDir, { recursive: true })
    },
  }
}
