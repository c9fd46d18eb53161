import { currentOf, type Entry, isSurelyThere, type Ledger, note } from './ledger.ts'
import type { Key, Seat } from './people.ts'
import type { Answer } from './wire.ts'

export type Found = { id: string; content: string; status: string; scope: string }
/** When a call was sent and answered. */
export type Span = { sentAt: number; answeredAt: number }

/** By how much the clocks of two processes may differ. */
const CLOCKS_MS = 100

export const sees = ({ project, author, person }: Seat, entry: Pick<Entry, 'project' | 'audience'>) =>
  entry.project === project && ['*', `a:${author}`, `d:${person?.department}`].includes(entry.audience)

/** A key is taken until it ends, and refused from then on. */
export function judgeKey(ledger: Ledger, seat: Seat, key: Key, answer: Answer, { sentAt, answeredAt }: Span): void {
  if (answer.kind === 'ended' && answeredAt + CLOCKS_MS < key.endsFrom)
    ledger.violate(`${seat.name}: the key ${key.id} was refused before its end`)
  if (answer.kind !== 'cut' && answer.kind !== 'ended' && sentAt > key.endedAt + CLOCKS_MS)
    ledger.violate(`${seat.name}: the key ${key.id} was taken ${Math.round(sentAt - key.endedAt)} ms after its end`)
}

/** Whether an answer of `search` shows what its caller may see, as it was acknowledged, each record once. */
export function judgeFound(ledger: Ledger, seat: Seat, span: Span, found: Found[]): void {
  const ids = new Set(found.map(({ id }) => id))
  if (ids.size < found.length) ledger.violate(`${seat.name}: an answer has a record twice`)
  for (const record of found) {
    const entry = ledger.byId.get(record.id) ?? ledger.byContent.get(record.content)
    const fault = entry === undefined ? 'nobody saved it' : findFault(seat, span, record, entry)
    if (fault !== undefined) ledger.violate(`${seat.name} finds ${record.id} '${record.content}': ${fault}`, entry)
  }
}

function findFault(seat: Seat, { sentAt }: Span, record: Found, entry: Entry): string | undefined {
  if (entry.isRefused) return 'its save was refused'
  if (entry.id !== undefined && entry.id !== record.id) return `it is there twice, also as ${entry.id}`
  if (entry.content !== record.content) return `it was saved as '${entry.content}'`
  if (!sees(seat, entry)) return `it belongs to ${entry.audience} of project ${entry.project}`
  if (entry.forgottenAt !== undefined && entry.forgottenAt < sentAt) return 'it was forgotten'
  const { fact } = entry
  if (fact === undefined || fact.isHeld || fact.isUncertain || fact.changedAt > sentAt) return undefined
  const expected = currentOf(fact) === entry ? 'unverified' : 'superseded'
  return record.status === expected ? undefined : `it is ${record.status}, and should be ${expected}`
}

/** Whether a record that was asked for by its number is there, where it must be. */
export function judgeSought(ledger: Ledger, seat: Seat, span: Span, sought: Entry, found: Found[]): void {
  const isFound = found.some(({ id }) => id === sought.id)
  if (isFound || !sees(seat, sought) || !isSurelyThere(sought, span.sentAt, span.answeredAt)) return
  note(sought, `not found by ${seat.name}`)
  ledger.violate(`${seat.name} does not find '${sought.content}'`, sought)
}
