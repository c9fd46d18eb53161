import { Refusal } from '../../../errors.ts'
import type { SyncDatabase } from './database.ts'
import { releaseLease, takeLease } from './lease.ts'
import { toIncluded, type Uploader } from './pass.ts'
import { findSources, markErased, markForgotten, resetSource, type SentSource } from './sources.ts'
import { nameOf } from './target.ts'

/**
 * Permanently erases histories at the service, and never uploads them again from here: those of a session and its subagents, or all.
 *
 * @returns their number.
 * @throws Refusal if no such session was uploaded; Halt or ServiceError if the service cannot be called. What was erased before then stays erased.
 */
export async function forget(uploader: Uploader, session: string | undefined): Promise<number> {
  const { database, client } = uploader
  const sources = requireSources(database, nameOf(uploader.target), session)
  return withLease(uploader, async (take) => {
    for (const { id, sourceId } of sources) {
      take()
      // In this order: if the process ends in between, the rest is erased the next time, and nothing is uploaded again.
      markForgotten(database, id)
      if (sourceId !== null) await client.forget(sourceId)
      markErased(database, id, null)
    }
    return sources.length
  })
}

/**
 * Erases histories at the service and uploads them again, for instance after redaction rules have changed: only those whose file still exists, since the
 * service may have the only copy of the others.
 *
 * @returns their number.
 */
export async function rescan(uploader: Uploader, session: string | undefined): Promise<number> {
  const { database, client } = uploader
  const name = nameOf(uploader.target)
  const sent = requireSources(database, name, session)
  const here = new Set((await toIncluded(uploader)).map(({ assistant, sourceKey }) => `${assistant} ${sourceKey}`))
  const again = sent.filter(({ assistant, sourceKey }) => here.has(`${assistant} ${sourceKey}`))
  return withLease(uploader, async (take) => {
    for (const { id, sourceId } of again) {
      take()
      // In this order: if the process ends in between, the history begins again as another generation.
      resetSource(database, id)
      if (sourceId !== null) await client.forget(sourceId)
    }
    return again.length
  })
}

function requireSources(database: SyncDatabase, target: string, session: string | undefined): SentSource[] {
  const sources = findSources(database, target, session)
  if (session !== undefined && sources.length === 0)
    throw new Refusal(`no session '${session}' was uploaded from here; 'memsvc sync preview --sessions' shows them`)
  return sources
}

/**
 * Runs `act`, which takes the lease before each history, since many take longer than it is valid: the current uploader stops at its next segment, and resumes
 * afterwards.
 */
async function withLease<Value>({ database, target, holder, now }: Uploader, act: (take: () => void) => Promise<Value>): Promise<Value> {
  const name = nameOf(target)
  try {
    return await act(() => takeLease(database, name, holder, now()))
  } finally {
    releaseLease(database, name, holder.holder)
  }
}
