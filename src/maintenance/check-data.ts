import { recordEventAlone } from '../account/audit/audit.ts'
import { SERVICE } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { type MaintenanceContext, runJob } from './worker/run-job.ts'

const CHECKED = 'data.check'

/**
 * Checks every file for damage, in a worker thread at low priority; does not compare indexes with records, as `memsvc
 * doctor` does. Logs each fault, and records their number in the audit log. Returns the number of faults. Rejects if it
 * was stopped.
 */
export async function checkData(ctx: MaintenanceContext, isStopped: () => boolean): Promise<number> {
  let [files, faults] = [0, 0]
  await runJob(
    ctx,
    { kind: 'check', location: { dataDir: ctx.config.dataDir } },
    {
      isStopped,
      onProgress: () => {},
      onPart: (part) => {
        files += 1
        for (const { text } of part.faults) {
          faults += 1
          ctx.log('the data is damaged', { file: part.name, fault: text })
        }
      },
    },
  )
  await recordEventAlone(ctx, SERVICE, {
    act: CHECKED,
    outcome: faults === 0 ? 'done' : 'failed',
    details: { files, faults },
  })
  return faults
}

/**
 * When the data was last checked, and how many faults were found; undefined if it never was, or so long ago that the
 * audit log no longer has it, or of files from which the data was moved into a database.
 */
export async function findLastCheck({
  store,
  config,
}: Pick<AppContext, 'store' | 'config'>): Promise<{ at: number; faults: number } | undefined> {
  if (config.databaseUrl !== undefined) return undefined
  const [last] = await store.control.listAudit({ act: CHECKED, limit: 1 })
  return last && { at: last.at, faults: Number(last.details.faults) }
}
