import { toButton } from '../markup/form.ts'
import type { Html } from '../markup/html.ts'
import { toRecordPath } from './record-card.ts'

/** The action that undoes another, by the name of its message. */
const UNDOING: Record<string, string> = {
  'record.verified': 'unverify',
  'record.chosen': 'unverify',
  'record.forgotten': 'restore',
  'record.replaced': 'restore',
  'record.forgetting-accepted': 'return-to-review',
  'record.restored': 'forget',
  'record.outdated': 'forget',
}

/**
 * The button that undoes an action on a record, shown beside its message; undefined if there is none. The query has the message's name as `done`, and the
 * record's id. `path` is that of the project.
 */
export function toUndoButton(path: string, query: URLSearchParams, back: string): Html | undefined {
  const [done, id] = [query.get('done') ?? '', query.get('id') ?? '']
  const act = Object.hasOwn(UNDOING, done) ? UNDOING[done] : undefined
  if (act === undefined || !/^[\w-]{1,64}$/.test(id)) return undefined
  return toButton(`${toRecordPath(path, id)}/${act}`, 'Undo', { fields: { back } })
}
