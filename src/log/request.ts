import { AsyncLocalStorage } from 'node:async_hooks'

/** What is known of a request once it is answered, for its line in the log: the address of the client, ids and names of ours; nothing of what was sent. */
export type RequestNotes = Partial<Record<'client' | 'key' | 'account' | 'project' | 'method' | 'tool' | 'outcome' | 'refusal', string>>

type RequestRecord = { id: () => string; notes: RequestNotes }

const current = new AsyncLocalStorage<RequestRecord | undefined>()

/** Runs the act as the handling of one request: every line of the log that it writes, however deep, carries the id, which is made at its first use. */
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

/** Adds to what the line of the present request says. Nothing outside of one. */
export function noteRequest(notes: RequestNotes): void {
  const record = current.getStore()
  if (record !== undefined) Object.assign(record.notes, notes)
}

/** Runs an act that belongs to no request, or to several, whoever's turn it is. */
export function outsideRequests<Result>(act: () => Result): Result {
  return current.run(undefined, act)
}
