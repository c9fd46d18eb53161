import { recordEventAlone } from '../account/audit/audit.ts'
import { SERVICE } from '../account/auth/actor.ts'
import type { AppContext } from '../account/context.ts'
import { type MaintenanceContext, runJob } from './worker/run-job.ts'

const CHECKED = 'data.check'

/**
 * Looks for damage in every file, in a thread of its own and without haste; indexes are not compared with records, which `memsvc doctor` does. Each fault is logged, and
 * the audit log keeps how many there were. Returns their number. Rejects where it was stopped.
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
  await recordEventAlone(ctx, SERVICE, { act: CHECKED, outcome: faults === 0 ? 'done' : 'failed', details: { files, faults } })
  return faults
}

/** When the data was last looked through, and how many faults there were; undefined if that was never done, or so long ago that the audit log does not know. */
export async function findLastCheck({ store }: Pick<AppContext, 'store'>): Promise<{ at: number; faults: number } | undefined> {
  const [last] = await store.control.listAudit({ act: CHECKED, limit: 1 })
  return last && { at: last.at, faults: Number(last.details.faults) }
}
