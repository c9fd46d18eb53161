import { AsyncLocalStorage } from 'node:async_hooks'

/**
 * What the log says about an answered request: the client's address, ids and names of this service; nothing that the
 * client sent.
 */
export type RequestNotes = Partial<
  Record<'client' | 'key' | 'account' | 'project' | 'method' | 'tool' | 'outcome' | 'refusal', string>
>

type RequestRecord = { id: () => string; notes: RequestNotes }

const current = new AsyncLocalStorage<RequestRecord | undefined>()

/**
 * Runs `act` as the handling of one request: every log line that it causes has the request's id, which is generated at
 * its first use.
 */
export function asRequest<Result>(makeId: () => string, act: (notes: RequestNotes) => Result): Result {
  let id: string | undefined
  const record: RequestRecord = {
    id: () => {
      id ??= makeId()
      return id
    },
    notes: {},
  }
  return current.run(record, act, record.notes)
}

/** The id of the request that is being handled; undefined outside of one. */
export function currentRequestId(): string | undefined {
  return current.getStore()?.id()
}

/** Adds fields to the log line of the present request. Does nothing outside of a request. */
export function noteRequest(notes: RequestNotes): void {
  const record = current.getStore()
  if (record !== undefined) Object.assign(record.notes, notes)
}

/** Runs an act outside of any request, for work that belongs to none or to several. */
export function outsideRequests<Result>(act: () => Result): Result {
  return current.run(undefined, act)
}
