import { toButton } from '../../markup/form.ts'
import type { Html } from '../../markup/html.ts'
import { toRecordPath } from './record-card.ts'

/** What undoes an act on a record, by the name of the message about that act. */
const UNDOING: Record<string, string> = {
  'record.verified': 'unverify',
  'record.chosen': 'unverify',
  'record.forgotten': 'restore',
  'record.replaced': 'restore',
  'record.left': 'unleave',
  'record.restored': 'forget',
  'record.outdated': 'forget',
}

/**
 * The button beside the message about an act on a record that undoes it; undefined where none does. The query has the message's name as `done`, and the record's id. `path` is that of
 * the project.
 */
export function toUndoButton(path: string, query: URLSearchParams, back: string): Html | undefined {
  const [done, id] = [query.get('done') ?? '', query.get('id') ?? '']
  const act = Object.hasOwn(UNDOING, done) ? UNDOING[done] : undefined
  if (act === undefined || !/^[\w-]{1,64}$/.test(id)) return undefined
  return toButton(`${toRecordPath(path, id)}/${act}`, 'Undo', { fields: { back } })
}
