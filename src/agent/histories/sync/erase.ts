import { Refusal } from '../../../errors.ts'
import type { SyncDatabase } from './database.ts'
import { releaseLease, takeLease } from './lease.ts'
import { toIncluded, type Uploader } from './pass.ts'
import {
  findSessions,
  listSent,
  listSentOf,
  markErased,
  markForgotten,
  resetSource,
  type SentSource,
  type SessionName,
  toName,
} from './sources.ts'
import { nameOf } from './target.ts'

/** Minimum length of a part of an id, so that none is meant by accident. */
const MIN_BEGINNING = 4
/** Maximum number of sessions named in a refusal. */
const MAX_NAMED = 5

/**
 * The session that the user means: by the assistant's id, by the service's, or by the beginning of either, of four
 * characters or more.
 *
 * @throws Refusal if none was uploaded, or several begin so.
 */
export function requireSession(
  database: SyncDatabase,
  { target }: Pick<Uploader, 'target'>,
  text: string,
): SessionName {
  const found = text.length < MIN_BEGINNING ? [] : findSessions(database, nameOf(target), text, MAX_NAMED + 1)
  const [first, ...others] = found
  if (first === undefined)
    throw new Refusal(`no session '${text}' was uploaded from here; 'memsvc sync preview --sessions' shows them`)
  if (others.length === 0) return first
  const names = found.slice(0, MAX_NAMED).map(({ sessionId, assistant }) => `${sessionId} (${assistant})`)
  throw new Refusal(`'${text}' names several sessions: ${names.join(', ')}${found.length > MAX_NAMED ? ', …' : ''}`)
}

/**
 * Permanently erases histories at the service, and never uploads them again from here: those of a session and its
 * subagents, or all.
 *
 * @returns their number.
 * @throws Halt or ServiceError if the service cannot be called. What was erased before then stays erased.
 */
export async function forget(uploader: Uploader, session: SessionName | undefined): Promise<number> {
  const { database, client } = uploader
  const sources = listOf(uploader, session)
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
 * Erases histories at the service and uploads them again, for instance after redaction rules have changed: only those
 * whose file still exists, since the service may have the only copy of the others.
 *
 * @returns their number.
 */
export async function rescan(uploader: Uploader, session: SessionName | undefined): Promise<number> {
  const { database, client } = uploader
  const here = new Set((await toIncluded(uploader)).map(toName))
  const again = listOf(uploader, session).filter((one) => here.has(toName(one)))
  return withLease(uploader, async (take) => {
    for (const { id, sourceId } of again) {
      take()
      // In this order: if the process ends in between, the service recognizes the lines that it still has.
      resetSource(database, id)
      if (sourceId !== null) await client.forget(sourceId)
    }
    return again.length
  })
}

function listOf({ database, target }: Uploader, session: SessionName | undefined): SentSource[] {
  return session === undefined ? listSent(database, nameOf(target)) : listSentOf(database, nameOf(target), session)
}

/**
 * Runs `act`, which takes the lease before each history, since many take longer than it is valid: the current uploader
 * stops at its next segment, and resumes afterwards.
 */
async function withLease<Value>(uploader: Uploader, act: (take: () => void) => Promise<Value>): Promise<Value> {
  const { database, target, pid, now } = uploader
  const name = nameOf(target)
  try {
    return await act(() => takeLease(database, name, pid, now()))
  } finally {
    releaseLease(database, name, pid)
    uploader.settled = undefined
  }
}
