import { joinPhrases, phrasesOf, type StoredRecord } from '../../store/record.ts'
import { deriveFactKey } from '../records/save/draft.ts'

/**
 * The columns of a record that hold text which assistants read, and the arguments of `remember` that they come from.
 */
const ARGUMENTS = {
  content: 'content',
  askedAs: 'asked_as',
  factKey: 'fact_key',
  sourceId: 'source_id',
  sourceHash: 'source_hash',
} as const

type Column = keyof typeof ARGUMENTS
const COLUMNS = Object.entries(ARGUMENTS) as [Column, string][]

export type RecordTexts = Pick<StoredRecord, Column>

type Source = Pick<StoredRecord, Column | 'factKeyGiven'>

/** A text of a record: in which column, and the argument that messages name. */
type RecordText = { column: Column; field: string; text: string }

/**
 * The texts of a record, each phrase of its own. A derived fact key is left out, because it consists of words of the
 * content.
 */
export function listTexts(record: Source): RecordText[] {
  return COLUMNS.flatMap(([column, field]) => {
    if (column === 'factKey' && !record.factKeyGiven) return []
    const texts = column === 'askedAs' ? phrasesOf(record) : [record[column]]
    return texts.flatMap((text) => (text === null ? [] : [{ column, field, text }]))
  })
}

/** The texts of a record after a change of each, one after the other; a derived fact key follows the content. */
export async function changeTexts(
  record: Source,
  change: (field: string, text: string) => Promise<string>,
): Promise<RecordTexts> {
  const { content, factKey, sourceId, sourceHash } = record
  const changed = { content, factKey, sourceId, sourceHash }
  const phrases: string[] = []
  for (const { column, field, text } of listTexts(record)) {
    const now = await change(field, text)
    if (column === 'askedAs') phrases.push(now)
    else changed[column] = now
  }
  if (!record.factKeyGiven && changed.content !== content) changed.factKey = deriveFactKey(changed.content)
  return { ...changed, askedAs: joinPhrases(phrases) }
}
