import { Refusal } from '../../../errors.ts'
import type { SyncDatabase } from './database.ts'
import { takeLease } from './lease.ts'
import { toIncluded, type Uploader } from './pass.ts'
import { findSources, markForgotten, resetSource, type SentSource } from './sources.ts'
import { nameOf } from './target.ts'

/**
 * Erases histories at the service, for good, and never uploads them again from here: that of a session and its subagents, or all.
 *
 * @returns how many.
 * @throws Refusal if no such session was uploaded; Halt or ServiceError where the service cannot be asked. What was erased before then stays so.
 */
export async function forget(uploader: Uploader, session: string | undefined): Promise<number> {
  const { database, client } = uploader
  const sources = requireSources(database, nameOf(uploader.target), session)
  return withLease(uploader, async () => {
    for (const { id, sourceId } of sources) {
      // In this order: should it end between, the rest is erased the next time, and nothing is uploaded again.
      markForgotten(database, id, sourceId)
      if (sourceId !== null) await client.forget(sourceId)
      markForgotten(database, id, null)
    }
    return sources.length
  })
}

/**
 * Erases histories at the service and has them uploaded anew, as after a change of what is taken out of them: only those whose file is still here, since the service
 * may have the only copy of the others.
 *
 * @returns how many.
 */
export async function rescan(uploader: Uploader, session: string | undefined): Promise<number> {
  const { database, client } = uploader
  const name = nameOf(uploader.target)
  const sent = requireSources(database, name, session)
  const here = new Set((await toIncluded(uploader)).map(({ assistant, sourceKey }) => `${assistant} ${sourceKey}`))
  const again = sent.filter(({ assistant, sourceKey }) => here.has(`${assistant} ${sourceKey}`))
  return withLease(uploader, async () => {
    for (const { id, sourceId } of again) {
      // In this order: should it end between, the history begins anew as another generation.
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

/** Whoever uploads ends at its next segment, and takes up again afterwards. */
async function withLease<Value>({ database, target, holder, now }: Uploader, act: () => Promise<Value>): Promise<Value> {
  const release = takeLease(database, nameOf(target), holder, now())
  try {
    return await act()
  } finally {
    release()
  }
}
