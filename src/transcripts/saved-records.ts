/** The beginning of the answer of `remember`, also as a text within JSON. */
const ANSWER = /"result\\{0,7}":\{\\{0,7}"id\\{0,7}":\\{0,7}"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\\{0,7}"/
/** A field that no other answer has, and the most characters from the beginning to it. */
const FIELD = 'made_stale'
const MAX_FIELDS_CHARACTERS = 4_000
/** Maximum number of answers that are looked at in one text. */
const MAX_ANSWERS = 20

/**
 * Ids of the records that `remember` saved, by what a tool returned, each once. Any tool may return such a text: an id
 * means nothing until the record is found.
 */
export function findSavedRecords(result: string): string[] {
  if (!result.includes(FIELD)) return []
  // Texts before, between and after the ids, and every second one an id.
  const parts = result.split(ANSWER, 2 * MAX_ANSWERS + 1)
  const isSaved = (_: string, at: number) =>
    at % 2 === 1 && (parts[at + 1] ?? '').slice(0, MAX_FIELDS_CHARACTERS).includes(FIELD)
  return [...new Set(parts.filter(isSaved))]
}
