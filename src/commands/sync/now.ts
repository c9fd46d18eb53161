import { setTimeout as sleep } from 'node:timers/promises'
import { readActivity } from '../../agent/histories/sync/activity.ts'
import { countSources } from '../../agent/histories/sync/counts.ts'
import { findConsent, isUnagreed, noteUnagreed } from '../../agent/histories/sync/folders.ts'
import { findHolder, releaseLease } from '../../agent/histories/sync/lease.ts'
import { attempt } from '../../agent/histories/sync/loop.ts'
import type { Uploader } from '../../agent/histories/sync/pass.ts'
import { readSyncSettings } from '../../agent/histories/sync/settings.ts'
import { nameOf } from '../../agent/histories/sync/target.ts'
import { wakeUploads } from '../../agent/histories/sync/wake.ts'
import { Refusal } from '../../errors.ts'
import type { Cli } from '../cli.ts'
import { localCommand } from '../command.ts'
import { createProgress } from '../terminal/progress.ts'
import { countOf, toSize } from '../terminal/text.ts'
import { askTarget, CLIENT, type SyncTarget, withUploader } from './context.ts'

const LOOK_INTERVAL_MS = 200

/** Uploads in this process or, if an agent is already uploading, makes that one do it now. */
export const nowCommand = localCommand('now', 'upload now and wait until it is done, also if no assistant runs', {
  options: CLIENT,
  act: async (cli, options) => {
    const found = await askTarget(cli, options)
    await withUploader(cli, found, async (uploader) => {
      await requireConsent(found, uploader)
      const isDone = watchProgress(cli, uploader)
      const failure = await uploadNow(uploader).finally(isDone)
      if (failure !== undefined) throw new Refusal(failure)
      await cli.out(`${toSummary(uploader)}\n`)
    })
  },
})

async function requireConsent({ environment, info, target }: SyncTarget, { database, now }: Uploader): Promise<void> {
  if ((await findConsent(environment, target)) !== undefined) return
  const settings = await readSyncSettings(environment)
  if (settings === undefined || !isUnagreed(settings, target))
    throw new Refusal(
      `nothing goes to project '${info.project}' now: 'memsvc sync status' says why, 'memsvc sync enable' begins it`,
    )
  noteUnagreed(database, target, now())
  throw new Refusal(
    `'${info.holder}', who holds this key, has not agreed to uploads from this machine; 'memsvc sync enable' asks`,
  )
}

/** Returns the problem, if there is one. */
async function uploadNow(uploader: Uploader): Promise<string | undefined> {
  const { database, target, pid, now, machine } = uploader
  const name = nameOf(target)
  const { passes, last_attempt_at: attemptedAt } = readActivity(database, name)
  await wakeUploads(machine.environment, now())
  for (;;) {
    if (findHolder(database, name, now) === undefined) {
      const halt = await attempt(uploader, { isThorough: true }).finally(() => releaseLease(database, name, pid))
      return halt?.message
    }
    await sleep(LOOK_INTERVAL_MS)
    const activity = readActivity(database, name)
    if (activity.passes > passes) return undefined
    const isHalted = activity.state !== 'scanning' && activity.state !== 'uploading' && activity.last_error !== null
    if (isHalted && activity.last_attempt_at !== attemptedAt) return activity.last_error?.message
  }
}

function watchProgress(cli: Cli, { database, target }: Uploader): () => void {
  const progress = createProgress(cli)
  const timer = setInterval(() => {
    const { sessions, bytes } = countSources(database, nameOf(target))
    progress.show(`${countOf(sessions.pending, 'session')} to go, ${toSize(bytes.pending)}`)
  }, LOOK_INTERVAL_MS)
  return () => {
    clearInterval(timer)
    progress.end()
  }
}

function toSummary({ database, target }: Uploader): string {
  const { sessions, records_uploaded: records, secrets_redacted: redacted } = countSources(database, nameOf(target))
  const failed =
    sessions.failed === 0
      ? ''
      : `; ${countOf(sessions.failed, 'session')} could not be uploaded, see 'memsvc sync status'`
  const unreadable = sessions.unreadable === 0 ? '' : `; ${countOf(sessions.unreadable, 'file')} cannot be read`
  const expired =
    sessions.expired === 0 ? '' : `; ${countOf(sessions.expired, 'session')} erased there after its retention period`
  return `${countOf(sessions.stored, 'session')} with ${countOf(records, 'record')} at the service, ${countOf(redacted, 'credential')} taken out${expired}${failed}${unreadable}`
}
